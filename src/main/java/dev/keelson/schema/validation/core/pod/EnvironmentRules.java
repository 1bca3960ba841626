package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.FieldReferences;
import java.util.HashMap;
import java.util.Map;

/** The environment variables of a container. */
final class EnvironmentRules {
  private static final String ONE_SOURCE = "may not have more than one field specified at a time";

  private EnvironmentRules() {}

  // environment

  static void validateEnv(Value container) {
    for (Value variable : container.get("env")) {
      variable.declared("name").get("name").as(Formats.ENV_NAME);
      if (variable.get("valueFrom").present()) {
        validateEnvVarSource(variable.get("valueFrom"), variable.get("value").filled());
      }
      variable.declared();
    }
    for (Value from : container.get("envFrom")) {
      from.get("prefix").as(Formats.ENV_NAME);
      int sources = 0;
      for (String kind : new String[] {"configMapRef", "secretRef"}) {
        if (from.get(kind).present()) {
          sources++;
          Value name = from.get(kind, "name").needed();
          if (name.filled()) {
            // a name as a prefix of one: it may end in a dash
            boolean dash = name.text().length() > 1 && name.text().endsWith("-");
            String checked =
                dash ? name.text().substring(0, name.text().length() - 2) + "a" : name.text();
            String problem = Formats.DNS_SUBDOMAIN.apply(checked);
            if (!problem.isEmpty()) {
              name.invalid(problem);
            }
          }
        }
      }
      // Kubernetes names the list, not the entry
      if (sources == 0) {
        container.get("envFrom").invalid("", "must specify one of: `configMapRef` or `secretRef`");
      } else if (sources > 1) {
        container.get("envFrom").invalid("", ONE_SOURCE);
      }
    }
  }

  private static void validateFileKeySelector(Value file) {
    file.declared("key").get("key").as(Formats.ENV_NAME);
    file.declared("volumeName").get("volumeName").dnsLabel();
    file.declared("path").get("path").as(Formats.NO_PARENT);
    file.declared();
  }

  /** Requires the volumes that variables are read from to be empty directories of the pod. */
  static void validateFileVolumes(Value spec) {
    Map<String, Value> volumes = null;
    for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      for (Value container : spec.get(list)) {
        for (Value variable : container.get("env")) {
          Value file = variable.get("valueFrom", "fileKeyRef");
          if (file.present()) {
            volumes = volumes == null ? byName(spec.get("volumes")) : volumes;
            validateFileVolume(file.get("volumeName").orEmpty(), volumes);
          }
        }
      }
    }
  }

  private static void validateFileVolume(Value name, Map<String, Value> volumes) {
    Value volume = volumes.get(name.text());
    if (volume == null) {
      name.notFound();
    } else if (volume.get("emptyDir").absent()) {
      name.invalid("referenced volume must be of type emptyDir");
    }
  }

  private static Map<String, Value> byName(Value volumes) {
    Map<String, Value> byName = new HashMap<>();
    for (Value volume : volumes) {
      byName.put(volume.get("name").text(), volume);
    }
    return byName;
  }

  private static void validateEnvVarSource(Value from, boolean alsoValue) {
    int sources = 0;
    if (from.get("fieldRef").present()) {
      sources++;
      FieldReferences.validateObjectFieldSelector(
          from.get("fieldRef"), from.get("fieldRef"), FieldReferences.ENV_FIELDS);
    }
    if (from.get("resourceFieldRef").present()) {
      sources++;
      FieldReferences.validateContainerResourceFieldSelector(
          from.get("resourceFieldRef"), from.get("resourceFieldRef"), false);
    }
    for (String kind : new String[] {"configMapKeyRef", "secretKeyRef"}) {
      if (from.get(kind).present()) {
        sources++;
        Value name = from.get(kind, "name").orEmpty();
        String problem = Formats.DNS_SUBDOMAIN.apply(name.text());
        if (!problem.isEmpty()) {
          name.invalid(problem);
        }
        from.get(kind, "key").needed().as(Formats.CONFIG_KEY);
      }
    }
    if (from.get("fileKeyRef").present()) {
      sources++;
      validateFileKeySelector(from.get("fileKeyRef"));
    }
    if (sources == 0) {
      from.invalid(
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (alsoValue) {
      from.invalid("", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      from.invalid("", ONE_SOURCE);
    }
  }
}
