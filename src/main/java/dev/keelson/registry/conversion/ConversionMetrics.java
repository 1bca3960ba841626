package dev.keelson.registry.conversion;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Records the calls of conversion webhooks. Called on any thread; must not block. */
@FunctionalInterface
public interface ConversionMetrics {

  /** Records nothing. */
  ConversionMetrics NONE = call -> {};

  /** A webhook was called, and has answered or not. */
  void called(Call call);

  /**
   * A call.
   *
   * @param definition the name of the CustomResourceDefinition
   * @param from the version of the first object that was sent
   * @param to the version that was asked for
   * @param failure why there are no converted objects; null if there are
   */
  record Call(
      String definition, String from, String to, @Nullable Failure failure, Duration took) {}

  /** The step at which a conversion failed. */
  enum Failure {
    /** The webhook did not answer, or with an error. */
    CALL,
    /** The answer is no review, or one that reports a failure. */
    MALFORMED_RESPONSE,
    /** There are not as many objects as were sent. */
    PARTIAL_RESPONSE,
    /** An object is not what was asked for. */
    INVALID_CONVERTED_OBJECT
  }
}
