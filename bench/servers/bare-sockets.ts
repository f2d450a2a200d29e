import { type WebSocket, WebSocketServer } from "ws";
import { serve } from "./serve.ts";

/** A minimal chat: sends each posted message to every socket, without parsing or storing it. */
const sockets = new Set<WebSocket>();
const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false });
const server = serve(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  for (const socket of sockets) socket.send(body, { binary: false });
  response.writeHead(201).end();
});
server.on("upgrade", (request, socket, head) => {
  webSockets.handleUpgrade(request, socket, head, (webSocket) => {
    sockets.add(webSocket);
    webSocket.on("close", () => sockets.delete(webSocket));
  });
});
