package dev.keelson.schema.validation;

import java.util.Map;

/**
 * Events. The group that they moved to demands who reports and what happened; in the core group
 * only the namespace counts.
 */
final class EventRules {

  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_NOTE = 1024;

  private EventRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/Event", new Old());
    rules.put("events.k8s.io/Event", new New());
  }

  private static void namespace(Value object) {
    Value about = object.get("involvedObject", "namespace");
    String own = object.get("metadata", "namespace").text();
    if (about.filled()) {
      if (!own.equals(about.text())) {
        about.invalid("does not match event.namespace");
      }
    } else if (!own.isEmpty() && !own.equals("default") && !own.equals("kube-system")) {
      Labels.orEmpty(about).invalid("does not match event.namespace");
    }
  }

  private record Old() implements TypeRules {
    @Override
    public void check(Value object) {
      namespace(object);
    }
  }

  private record New() implements TypeRules {
    @Override
    public void check(Value object) {
      namespace(object);
    }

    @Override
    public void created(Value object) {
      object.get("eventTime").existing("");
      Value controller =
          object.get("reportingController").holding(object.get("reportingComponent").node());
      controller.needed().qualifiedName();
      word(object.get("reportingInstance"));
      word(object.get("action"));
      word(object.get("reason"));
      if (object.get("message").text().length() > LONGEST_NOTE) {
        object
            .get("note")
            .holding(object.get("message").node())
            .invalid("can have at most 1024 characters");
      }
      Value type = object.get("type");
      if (!type.is("Normal") && !type.is("Warning")) {
        Labels.orEmpty(type).invalid("has invalid value: " + type.text());
      }
      Value count = object.get("series", "count");
      if (object.get("series").present() && count.number() < 2) {
        ContainerRules.zeroOr(count).invalid("should be at least 2");
      }
    }

    private static void word(Value word) {
      word.needed();
      if (word.text().length() > LONGEST_WORD) {
        word.invalid("can have at most 128 characters");
      }
    }

    @Override
    public void changed(Value object, Value old) {
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
      Value count = object.get("series", "count");
      if (!object.get("series").sameAs(old.get("series"))
          && object.get("series").present()
          && count.number() < 2) {
        ContainerRules.zeroOr(count).invalid("should be at least 2");
      }
    }
  }
}
