import { Link } from "react-router";

/** Always visible: most users here are children (P12). */
export function SafetyRules() {
  return (
    <p className="chat-rules">
      <strong>Stay safe:</strong> no real names, ages, schools, photos, passwords or other apps. Report what
      feels wrong, and tell an adult. <Link to="/terms">Rules</Link>
    </p>
  );
}
