package dev.keelson.http.health;

import java.util.Locale;

/** The three questions about health. */
public enum Probe {
  /** The old question, which does not tell the other two apart. */
  HEALTHZ,
  /** Whether the process should be left alone; if not, it is to be restarted. */
  LIVEZ,
  /** Whether requests should be sent here. */
  READYZ;

  /** The name as it stands in paths and reports. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String path() {
    return "/" + word();
  }
}
