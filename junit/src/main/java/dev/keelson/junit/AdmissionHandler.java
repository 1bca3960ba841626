package dev.keelson.junit;

/** Reviews requests in a test. */
@FunctionalInterface
public interface AdmissionHandler {

  /**
   * Reviews a request; an exception becomes a refusal of 500 with its message, null one as well.
   *
   * @return the answer
   */
  AdmissionResponse review(AdmissionRequest request);
}
