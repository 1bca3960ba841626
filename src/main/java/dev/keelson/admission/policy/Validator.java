package dev.keelson.admission.policy;

import dev.keelson.admission.policy.CompiledPolicy.Annotation;
import dev.keelson.admission.policy.CompiledPolicy.Validation;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.Budget;
import dev.keelson.cel.admission.MatchConditions.Verdict;
import dev.keelson.cel.admission.OutOfBudgetException;
import dev.keelson.cel.admission.Outcome;
import dev.keelson.cel.admission.PolicyExpression;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates a validating policy for one request and parameter (source: validator.go). */
final class Validator {

  private static final int MOST_MESSAGE_BYTES = 5 * 1024;
  private static final int MOST_ANNOTATION_BYTES = 10 * 1024;

  private static final Result NOTHING = new Result(List.of(), List.of());

  private Validator() {}

  /** What came of an expression. */
  enum Evaluation {
    ADMIT,
    DENY,
    ERROR
  }

  /**
   * A decision.
   *
   * @param denies whether it rejects the request, as far as the policy is concerned
   * @param reason the reason for the client; empty for Invalid
   */
  record Decision(
      boolean denies, Evaluation evaluation, String message, String reason, long nanos) {

    static Decision error(boolean failsClosed, String message, long nanos) {
      return new Decision(failsClosed, Evaluation.ERROR, message, "", nanos);
    }
  }

  /**
   * An audit annotation.
   *
   * @param value empty if there is an error
   * @param error empty if there is a value
   */
  record Published(String key, String value, String error) {}

  /** The decisions, one a validation, and the annotations with a value or an error. */
  record Result(List<Decision> decisions, List<Published> annotations) {}

  /**
   * Evaluates a policy.
   *
   * @param conditions what its match conditions say
   */
  static Result validate(
      CompiledPolicy policy, Verdict conditions, boolean failsClosed, Activation activation) {
    switch (conditions) {
      case Verdict.Matches _ -> {
        // is validated
      }
      case Verdict.Excluded _ -> {
        return NOTHING;
      }
      case Verdict.Failed failed -> {
        return failsClosed ? wholly(true, failed.error()) : NOTHING;
      }
    }
    List<Decision> decisions = new ArrayList<>(policy.validations().size());
    try {
      validations(policy, failsClosed, activation, decisions);
      return new Result(decisions, annotations(policy, failsClosed, activation));
    } catch (OutOfBudgetException e) {
      return wholly(failsClosed, e.text());
    }
  }

  private static Result wholly(boolean failsClosed, String message) {
    return new Result(List.of(Decision.error(failsClosed, message, 0)), List.of());
  }

  private static void validations(
      CompiledPolicy policy, boolean failsClosed, Activation activation, List<Decision> decisions)
      throws OutOfBudgetException {
    Budget budget = new Budget(Budget.POLICY);
    List<Outcome> outcomes = new ArrayList<>(policy.validations().size());
    long[] nanos = new long[policy.validations().size()];
    for (Validation validation : policy.validations()) {
      long begin = System.nanoTime();
      outcomes.add(activation.evaluate(validation.expression(), budget));
      nanos[outcomes.size() - 1] = System.nanoTime() - begin;
    }
    List<String> messages = List.of();
    String exhausted = "";
    try {
      messages = messages(policy.validations(), outcomes, activation, budget);
    } catch (OutOfBudgetException e) {
      exhausted = "failed messageExpression: " + e.text();
    }
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (outcome.failed()) {
        decisions.add(Decision.error(failsClosed, outcome.error(), nanos[i]));
      } else if (!exhausted.isEmpty()) {
        decisions.add(Decision.error(failsClosed, exhausted, nanos[i]));
      } else if (outcome.isTrue()) {
        decisions.add(new Decision(false, Evaluation.ADMIT, "", "", nanos[i]));
      } else {
        String reason = policy.validations().get(i).reason();
        decisions.add(new Decision(true, Evaluation.DENY, messages.get(i), reason, nanos[i]));
      }
    }
  }

  /** The messages of the validations that are false; empty for all others. */
  private static List<String> messages(
      List<Validation> validations, List<Outcome> outcomes, Activation activation, Budget budget)
      throws OutOfBudgetException {
    List<String> messages = new ArrayList<>(outcomes.size());
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      messages.add(
          outcome.failed() || outcome.isTrue()
              ? ""
              : message(validations.get(i), activation, budget));
    }
    return messages;
  }

  private static String message(Validation validation, Activation activation, Budget budget)
      throws OutOfBudgetException {
    PolicyExpression expression = validation.messageExpression();
    String message =
        expression == null ? "" : message(activation.evaluate(expression, budget).text());
    if (message.isEmpty()) {
      message = validation.message();
    }
    return message.isEmpty()
        ? "failed expression: " + validation.expression().text().strip()
        : message;
  }

  /** The message of an expression; empty if it cannot be used. */
  private static String message(@Nullable String found) {
    String message = found == null ? "" : found.strip();
    return message.getBytes(StandardCharsets.UTF_8).length > MOST_MESSAGE_BYTES
            || message.indexOf('\n') >= 0
        ? ""
        : message;
  }

  private static List<Published> annotations(
      CompiledPolicy policy, boolean failsClosed, Activation activation)
      throws OutOfBudgetException {
    List<Published> published = new ArrayList<>(policy.annotations().size());
    Budget budget = new Budget(Budget.POLICY);
    for (Annotation annotation : policy.annotations()) {
      Outcome outcome = activation.evaluate(annotation.value(), budget);
      String text = outcome.text();
      if (text != null) {
        String value = shortened(text.strip());
        if (!value.isEmpty()) {
          published.add(new Published(annotation.key(), value, ""));
        }
      } else if (outcome.failed() && failsClosed) {
        published.add(new Published(annotation.key(), "", outcome.error()));
      }
    }
    return published;
  }

  private static String shortened(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MOST_ANNOTATION_BYTES
        ? value
        : new String(bytes, 0, MOST_ANNOTATION_BYTES, StandardCharsets.UTF_8);
  }
}
