package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.nio.charset.StandardCharsets;

/** Events of the core group (source: pkg/apis/core/validation/events.go). */
public final class CoreEventRules implements KindRules {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_NOTE = 1024;

  @Override
  public void validate(Value object) {
    validateLegacyEvent(object, "reportingComponent");
  }

  /**
   * Validates every event; one with an event time needs the fields of the new form.
   *
   * @param controller the name of the field for the reporting controller in the requested version
   */
  public static void validateLegacyEvent(Value object, String controller) {
    if (object.get("eventTime").present()) {
      validateNewEventFields(object, controller);
    } else {
      Value about = object.get("involvedObject", "namespace");
      String own = namespace(object);
      boolean fits =
          about.filled() ? about.is(own) : own.isEmpty() || own.equals(DEFAULT_NAMESPACE);
      if (!fits) {
        about.orEmpty().invalid("does not match event.namespace");
      }
    }
  }

  private static String namespace(Value object) {
    return object.get("metadata", "namespace").text();
  }

  private static void validateNewEventFields(Value object, String field) {
    Value about = object.get("involvedObject", "namespace");
    String own = namespace(object);
    if (!about.filled() && !own.equals(DEFAULT_NAMESPACE) && !own.equals("kube-system")) {
      about.orEmpty().invalid("does not match event.namespace");
    }
    Value controller = object.get(field).holding(object.get("reportingComponent").node());
    Labels.validateLabelName(controller.needed());
    validateWord(object.get("reportingInstance"));
    validateWord(object.get("action"));
    validateWord(object.get("reason"));
    if (bytes(object.get("message")) > LONGEST_NOTE) {
      object.get("message").invalid("", "can have at most " + LONGEST_NOTE + " characters");
    }
  }

  private static void validateWord(Value word) {
    word.needed();
    if (bytes(word) > LONGEST_WORD) {
      word.invalid("", "can have at most " + LONGEST_WORD + " characters");
    }
  }

  private static int bytes(Value text) {
    return text.text().getBytes(StandardCharsets.UTF_8).length;
  }
}
