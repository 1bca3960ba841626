package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.regex.Pattern;

/** Conditions of the shared type, as statuses have them (source: ValidateConditions). */
public final class Conditions {
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 32 * 1024;
  private static final String REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
  private static final Pattern REASONS = Pattern.compile(REASON);
  private static final String BAD_REASON =
      "a condition reason must start with alphabetic character, optionally followed by a string of"
          + " alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
          + " (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or"
          + " 'ReasonA:ReasonB', regex used for validation is '"
          + REASON
          + "')";

  private Conditions() {}

  public static void validateConditions(Value conditions) {
    conditions.uniqueBy("type");
    for (Value condition : conditions) {
      Labels.validateLabelName(condition.get("type"));
      Value status = condition.get("status");
      if (!status.is("True") && !status.is("False") && !status.is("Unknown")) {
        status.holding(Node.text(status.text())).unsupported("False", "True", "Unknown");
      }
      if (condition.get("observedGeneration").number() < 0) {
        condition.get("observedGeneration").invalid("must be greater than or equal to zero");
      }
      condition.get("lastTransitionTime").needed("must be set");
      Value reason = condition.get("reason").needed("must be set");
      if (reason.filled() && !REASONS.matcher(reason.text()).matches()) {
        reason.invalid(BAD_REASON);
      }
      if (reason.text().length() > LONGEST_REASON) {
        reason.tooLong(LONGEST_REASON);
      }
      if (condition.get("message").text().length() > LONGEST_MESSAGE) {
        condition.get("message").tooLong(LONGEST_MESSAGE);
      }
    }
  }
}
