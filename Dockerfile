# The service with all that its agents can use: commands in a sandbox, the programs that they expect, a browser, fonts. How to run it: docs/operate/self-hosting.md.
# slim has what commands in a sandbox need; full, the default, also the browser and the programs and modules that agents expect.
ARG FURNISHING=full

# The digest makes each build take the same image; scripts/supply/pin-images.mjs asks the registry for the current one.
FROM node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS base

FROM base AS build
WORKDIR /opt/errand
# The history is no part of the image: --build-arg ERRAND_BUILD_COMMIT=$(git rev-parse HEAD) names the commit in errand --version.
ARG ERRAND_BUILD_COMMIT=
COPY . .
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM base AS slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates fonts-liberation git python3 ripgrep socat tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /data /var/cache/errand \
  && ln -s /opt/errand/bin/errand /usr/local/bin/errand

FROM slim AS full
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell espeak-ng fonts-noto-cjk fonts-noto-core fonts-noto-color-emoji \
    curl ffmpeg imagemagick jq libreoffice-calc libreoffice-impress libreoffice-writer pandoc poppler-utils sqlite3 \
    tesseract-ocr unzip zip python3-pip python3-venv \
    python3-bs4 python3-docx python3-lxml python3-matplotlib python3-numpy python3-openpyxl python3-pandas python3-pil \
    python3-pypdf python3-pytest python3-scipy python3-typing-extensions python3-xlsxwriter \
  # Debian 12 has no package of it; what it depends on is above.
  && pip3 install --break-system-packages --no-cache-dir --no-deps python-pptx==1.0.2 \
  && rm -rf /var/lib/apt/lists/*

FROM ${FURNISHING}
# Other Debian packages that agents may use.
ARG PACKAGES=
RUN [ -z "$PACKAGES" ] || { apt-get update && apt-get install -y --no-install-recommends $PACKAGES && rm -rf /var/lib/apt/lists/*; }
COPY --from=build /opt/errand /opt/errand
ENV ERRAND_HOST=0.0.0.0 ERRAND_DATA_DIR=/data NODE_COMPILE_CACHE=/var/cache/errand
USER node
# Compiled code belongs to the user that compiles it, so it is made here and not by the stage before.
RUN node /opt/errand/scripts/warm-start.mjs
VOLUME /data
EXPOSE 7070 7071
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:7070/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "errand"]
