package dev.keelson.schema.validation.events;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.CoreEventRules;

/**
 * Events of the group that they moved to, which leaves no place for what the old form had (source:
 * pkg/apis/core/validation/events.go).
 */
final class EventRules implements KindRules {
  @Override
  public void validate(Value object) {
    CoreEventRules.validateLegacyEvent(object, "reportingController");
  }

  @Override
  public void validateCreate(Value object) {
    series(object.get("series"));
    object.get("eventTime").existing("");
    Value type = object.get("type");
    if (!type.is("Normal") && !type.is("Warning")) {
      type.invalid("", "has invalid value: " + type.text());
    }
    for (String field : new String[] {"firstTimestamp", "lastTimestamp", "count"}) {
      if (object.get(field).filled()) {
        object.get(field).invalid("", "needs to be unset");
      }
    }
    Value source = object.get("source");
    if (source.get("component").filled() || source.get("host").filled()) {
      source.invalid("", "needs to be unset");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    if (!object.get("series").sameAs(old.get("series"))) {
      series(object.get("series"));
    }
    for (String field :
        new String[] {
          "involvedObject",
          "reason",
          "message",
          "source",
          "firstTimestamp",
          "lastTimestamp",
          "count",
          "type",
          "eventTime",
          "action",
          "related",
          "reportingComponent",
          "reportingInstance"
        }) {
      Value now = object.get(field);
      if (!now.sameAs(old.get(field)) && (now.filled() || old.get(field).filled())) {
        boolean renamed = field.equals("reportingComponent");
        now.invalidAt(renamed ? object.get("reportingController") : now, "field is immutable");
      }
    }
  }

  private static void series(Value series) {
    if (series.absent()) {
      return;
    }
    if (series.get("count").number() < 2) {
      series.get("count").invalid("", "should be at least 2");
    }
    series.get("lastObservedTime").existing("");
  }
}
