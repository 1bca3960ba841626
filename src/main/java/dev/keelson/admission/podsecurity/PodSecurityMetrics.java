package dev.keelson.admission.podsecurity;

import dev.keelson.admission.AdmissionAttributes;

/** Counts the decisions of Pod Security. Safe for use by several threads; must not block. */
public interface PodSecurityMetrics {

  /** Counts nothing. */
  PodSecurityMetrics NONE =
      new PodSecurityMetrics() {
        @Override
        public void evaluated(
            boolean allowed, LevelVersion policy, Mode mode, AdmissionAttributes call) {}

        @Override
        public void exempted(AdmissionAttributes call) {}

        @Override
        public void failed(boolean fatal, AdmissionAttributes call) {}
      };

  /** A pod or template was checked; templates and modes other than enforce only if they violate. */
  void evaluated(boolean allowed, LevelVersion policy, Mode mode, AdmissionAttributes call);

  /** A request was exempt. */
  void exempted(AdmissionAttributes call);

  /**
   * A policy could not be read.
   *
   * @param fatal whether nothing was checked
   */
  void failed(boolean fatal, AdmissionAttributes call);
}
