package dev.keelson.schema.validation.storagemigration;

import dev.keelson.schema.validation.Conditions;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.regex.Pattern;

/** Migrations of stored objects (source: {@code pkg/apis/storagemigration/validation}). */
final class StorageVersionMigrationRules implements KindRules {

  private static final Pattern RESOURCE_VERSION = Pattern.compile("[1-9][0-9]*");
  private static final String RUNNING = "Running";
  private static final String SUCCEEDED = "Succeeded";
  private static final String FAILED = "Failed";

  @Override
  public void validate(Value object) {
    Value resource = object.get("spec", "resource");
    resource.get("resource").needed("resource is required to be set").as(Formats.DNS_1035_LABEL);
    resource.get("group").dnsSubdomain();
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value unused = object.get("spec").immutable(old.get("spec"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    Value version = status.get("resourceVersion");
    if (!RESOURCE_VERSION.matcher(version.text()).matches()) {
      version.orEmpty().invalid("resource version is not well formed: " + version.text());
    }
    Value conditions = status.get("conditions");
    Conditions.validateConditions(conditions);
    Value before = old.get("status", "resourceVersion");
    if (before.filled()) {
      Value unused = version.orEmpty().immutable(before);
    }
    transitions(conditions, old.get("status", "conditions"));
  }

  private static void transitions(Value conditions, Value old) {
    boolean succeeded = isTrue(conditions, SUCCEEDED);
    boolean failed = isTrue(conditions, FAILED);
    boolean running = isTrue(conditions, RUNNING);
    if (succeeded && failed) {
      conditions.invalid("Both success and failed conditions cannot be true at the same time");
    }
    if (succeeded && running) {
      conditions.invalid("Running condition cannot be true when success condition is true");
    }
    if (failed && running) {
      conditions.invalid("Running condition cannot be true when failed condition is true");
    }
    if (isTrue(old, SUCCEEDED) && !succeeded) {
      conditions.invalid("Success condition cannot be set to false once it is true");
    }
    if (isTrue(old, FAILED) && !failed) {
      conditions.invalid("Failed condition cannot be set to false once it is true");
    }
  }

  private static boolean isTrue(Value conditions, String type) {
    for (Value condition : conditions) {
      if (condition.get("type").is(type)) {
        return condition.get("status").is("True");
      }
    }
    return false;
  }
}
