import { NavLink } from "react-router";

/** The navigation's last entry, for a visitor: Login (clause 2.nav.03). The server knows nobody else. */
export function AccountEntry() {
  return (
    <li className="nav-account">
      <NavLink to="/auth" className="nav-entry nav-login">
        Login
      </NavLink>
    </li>
  );
}
