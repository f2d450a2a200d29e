import type { Environment } from "../variables.ts";
import { flag, type SettingRows, seconds } from "./setting.ts";

export const web3Settings = { web3: readWeb3 } satisfies SettingRows;

const TEN_MINUTES = 600;

function readWeb3(environment: Environment) {
  const ethereum = flag("GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED")(environment);
  const solana = flag("GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED")(environment);
  const longest = {
    ethereum: seconds("GOTRUE_EXTERNAL_WEB3_ETHEREUM_MAXIMUM_VALIDITY_DURATION")(environment) ?? TEN_MINUTES,
    solana: seconds("GOTRUE_EXTERNAL_WEB3_SOLANA_MAXIMUM_VALIDITY_DURATION")(environment) ?? TEN_MINUTES,
  };
  if (ethereum === null && solana === null) return null;
  return { ethereum: ethereum ? longest.ethereum : null, solana: solana ? longest.solana : null };
}
