package dev.keelson.schema.validation;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Events. In the core group little is asked of them; the group that they moved to leaves no place
 * for what the old form had (source: pkg/apis/core/validation/events.go).
 */
final class EventRules {

  private static final String DEFAULT_NAMESPACE = "default";
  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_NOTE = 1024;

  private EventRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/Event", new Old());
    rules.put("events.k8s.io/Event", new New());
  }

  /** What every event must keep to; one that says when it happened also says who saw what. */
  private static void everywhere(Value object) {
    if (object.get("eventTime").present()) {
      told(object);
    } else {
      Value about = object.get("involvedObject", "namespace");
      String own = namespace(object);
      boolean fits =
          about.filled() ? about.is(own) : own.isEmpty() || own.equals(DEFAULT_NAMESPACE);
      if (!fits) {
        Labels.orEmpty(about).invalid("does not match event.namespace");
      }
    }
  }

  private static String namespace(Value object) {
    return object.get("metadata", "namespace").text();
  }

  private static void told(Value object) {
    Value about = object.get("involvedObject", "namespace");
    String own = namespace(object);
    if (!about.filled() && !own.equals(DEFAULT_NAMESPACE) && !own.equals("kube-system")) {
      Labels.orEmpty(about).invalid("does not match event.namespace");
    }
    Value controller =
        object.get("reportingController").holding(object.get("reportingComponent").node());
    Labels.name(controller.needed());
    word(object.get("reportingInstance"));
    word(object.get("action"));
    word(object.get("reason"));
    if (bytes(object.get("message")) > LONGEST_NOTE) {
      object.get("message").invalid("", "can have at most " + LONGEST_NOTE + " characters");
    }
  }

  private static void word(Value word) {
    word.needed();
    if (bytes(word) > LONGEST_WORD) {
      word.invalid("", "can have at most " + LONGEST_WORD + " characters");
    }
  }

  private static int bytes(Value text) {
    return text.text().getBytes(StandardCharsets.UTF_8).length;
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

  private record Old() implements TypeRules {
    @Override
    public void check(Value object) {
      everywhere(object);
    }
  }

  private record New() implements TypeRules {
    @Override
    public void check(Value object) {
      everywhere(object);
    }

    @Override
    public void created(Value object) {
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
    public void changed(Value object, Value old) {
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
  }
}
