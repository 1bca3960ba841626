package dev.keelson.admission.plugin;

import dev.keelson.api.Verb;

/** Receives durations of admission. Safe for use by several threads; must not block. */
@FunctionalInterface
public interface AdmissionMetrics {

  /** Records nothing. */
  AdmissionMetrics NONE = (name, operation, phase, rejected, nanos) -> {};

  /** A phase of admission. */
  enum Phase {
    /** Mutating. */
    ADMIT("admit"),
    /** Validating. */
    VALIDATE("validate");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    /** The name in metrics. */
    public String text() {
      return text;
    }
  }

  /**
   * A plugin has handled a write.
   *
   * @param plugin its name
   * @param rejected whether it rejected the write
   */
  void record(String plugin, Verb operation, Phase phase, boolean rejected, long nanos);
}
