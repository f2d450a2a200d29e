import "./harbor-scene.css";

/** A line of waves across the scene at this height. */
function waves(y: number, length: number, height: number): string {
  const count = Math.ceil(1800 / length) + 1;
  return `M-${length} ${y}${`q${length / 4}-${height} ${length / 2} 0t${length / 2} 0`.repeat(count)}V320H-${length}z`;
}

/** The harbor behind the hero: sun or moon, islands, ships, lighthouse, water. Styled by the theme. */
export function HarborScene() {
  return (
    <div className="scene">
      <svg aria-hidden="true" viewBox="0 0 1600 300" preserveAspectRatio="xMidYMax slice">
        <radialGradient id="halo" className="scene-halo">
          <stop offset="0.25" stopOpacity="0.55" />
          <stop offset="1" stopOpacity="0" />
        </radialGradient>
        <circle fill="url(#halo)" cx="860" cy="112" r="190" />
        <circle className="scene-orb" cx="860" cy="112" r="52" />
        <path
          className="scene-far"
          d="M0 214c60-10 96-62 150-64 40-1 58 28 92 22 42-8 62-46 104-40 60 8 78 66 190 82zM1010 214c50-4 70-40 118-44 36-3 52 20 84 16 40-6 52-34 92-34 66 0 110 56 296 42v20z"
        />
        <Lighthouse />
        <path className="scene-sea-1" d={waves(206, 160, 9)} />
        <Galleon />
        <path
          className="scene-glint"
          d="M828 222h64M812 234h40M868 234h44M836 246h54M822 258h24M862 258h40"
        />
        <path className="scene-sea-2 drift" d={waves(236, 200, 13)} />
        <g transform="translate(210 6)">
          <Sloop />
        </g>
        <path className="scene-sea-3 drift-back" d={waves(266, 240, 15)} />
      </svg>
    </div>
  );
}

function Lighthouse() {
  return (
    <g>
      <path className="scene-beam" d="M1421 108 1010 44v108zM1429 108l171-30v70z" />
      <path className="scene-near" d="M1300 226c24-6 40-32 78-34 30-1 70-4 96 0 44 6 70 28 126 30v20h-300z" />
      <path className="scene-tower" d="M1410 194l6-74h18l6 74z" />
      <path
        className="scene-stripe"
        d="M1414.500 138h21l1.200 14h-23.400zM1412.400 166h25.200l1.200 14h-27.600z"
      />
      <path className="scene-lamp" d="M1416 102h18v16h-18z" />
      <path className="scene-near" d="M1412 102l13-12 13 12zM1412 118h26v4h-26z" />
    </g>
  );
}

function Galleon() {
  return (
    <g className="bob">
      <path
        className="scene-mast"
        d="M1130 120v104M1176 100v124M1222 122v100M1090 196l-46-22M1176 96h24l-8 7 8 7h-24"
      />
      <path
        className="scene-sail"
        d="M1112 132q24 6 38 0 6 24 0 44-20 6-40 0 6-22 2-44zM1154 114q26 6 46 0 8 30 0 62-24 6-48 0 8-34 2-62zM1206 134q22 6 36 0 6 22 0 42-20 5-38 0 6-20 2-42zM1108 136l-58 40q30 4 58 4z"
      />
      <path className="scene-hull" d="M1078 194l24 2h120l8-14h40q-2 40-26 56h-134q-26-10-32-44z" />
      <path
        className="scene-windows"
        d="M1236 194h6v6h-6zM1250 194h6v6h-6zM1110 210h6v5h-6zM1134 210h6v5h-6zM1158 210h6v5h-6zM1182 210h6v5h-6z"
      />
    </g>
  );
}

function Sloop() {
  return (
    <g className="bob-late">
      <path className="scene-mast" d="M420 168v74" />
      <path className="scene-sail" d="M426 170q38 26 40 60h-40zM414 178q-28 26-32 52h32z" />
      <path className="scene-hull" d="M372 236h102q-8 26-26 28h-52q-18-4-24-28z" />
      <circle className="scene-lamp" cx="470" cy="228" r="4" />
    </g>
  );
}
