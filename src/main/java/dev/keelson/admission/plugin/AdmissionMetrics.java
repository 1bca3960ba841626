package dev.keelson.admission.plugin;

import dev.keelson.api.Verb;

/** Receives durations of admission. Safe for use by several threads; must not block. */
public interface AdmissionMetrics {

  /** Records nothing. */
  AdmissionMetrics NONE =
      new AdmissionMetrics() {
        @Override
        public void plugin(
            String name, Verb operation, Phase phase, boolean rejected, long nanos) {}

        @Override
        public void step(Verb operation, Phase phase, boolean rejected, long nanos) {}
      };

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
   * @param name its name
   * @param rejected whether it rejected the write
   */
  void plugin(String name, Verb operation, Phase phase, boolean rejected, long nanos);

  /**
   * All plugins have handled a write.
   *
   * @param rejected whether one of them rejected the write
   */
  void step(Verb operation, Phase phase, boolean rejected, long nanos);
}
