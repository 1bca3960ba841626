package dev.keelson.http.health;

import java.util.Locale;

/** The health probes. */
public enum Probe {
  /** The deprecated probe, with all checks. */
  HEALTHZ,
  /** The liveness probe: on failure the process should be restarted. */
  LIVEZ,
  /** The readiness probe: whether the server should receive requests. */
  READYZ;

  /** The name in paths and reports. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String path() {
    return "/" + word();
  }
}
