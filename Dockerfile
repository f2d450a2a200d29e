# The site with its PostgreSQL in one container; all persistent data is in /data.
FROM node:24-bookworm-slim AS packages
# Required by the Node 26 that the packages bring; both images lack it.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: the lock omits other platforms' optional packages.
RUN npm install --no-save --include=dev

FROM packages AS build
COPY app ./app
COPY backend ./backend
COPY domain ./domain
COPY public ./public
COPY scripts ./scripts
COPY server ./server
COPY supabase ./supabase
COPY react-router.config.ts tsconfig.json vite.config.ts ./
RUN npm run build

# Separate from the build: a release without package changes adds a layer of a few megabytes, not of hundreds.
FROM packages AS lean
# `--omit=dev` alone would keep optional peer dependencies that development installs, such as TypeScript.
RUN npm pkg delete devDependencies && npm prune --no-save

FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin site && install --directory --owner=site --group=site --mode=0700 /data
WORKDIR /app
COPY --from=lean /app/node_modules ./node_modules
COPY package.json package-lock.json ./
COPY backend ./backend
COPY domain ./domain
COPY public ./public
COPY server ./server
COPY supabase ./supabase
COPY --from=build /app/build ./build
# The same as in scripts/keep-memory-low.mjs.
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=65536
USER site
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/.bin/node", "--max-semi-space-size=8", "server/main.ts"]
