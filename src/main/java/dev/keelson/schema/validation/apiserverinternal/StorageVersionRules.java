package dev.keelson.schema.validation.apiserverinternal;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Storage versions of API servers (source: {@code pkg/apis/apiserverinternal/validation}). The
 * status is the only part with content, and a new object has none.
 */
final class StorageVersionRules implements KindRules {

  private static final String EMPTY = "must be non-empty";
  private static final String VERSION_FORM =
      "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters"
          + " or '-', start with an alphabetic character, and end with an alphanumeric character"
          + " (e.g. 'my-name',  or 'abc-123', regex used for validation is"
          + " '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g."
          + " 'example.com/MyVersion')";

  @Override
  public void validateCreate(Value object) {
    Value name = object.get("metadata", "name");
    String text = name.text();
    int dot = text.lastIndexOf('.');
    if (dot < 0) {
      name.invalid("name must be in the form of <group>.<resource>");
      return;
    }
    problem("the group segment ", Formats.DNS_SUBDOMAIN, text.substring(0, dot))
        .forEach(name::invalid);
    problem("the resource segment ", Formats.DNS_1035_LABEL, text.substring(dot + 1))
        .forEach(name::invalid);
  }

  private static Stream<String> problem(String part, UnaryOperator<String> format, String text) {
    String problem = format.apply(text);
    return problem.isEmpty() ? Stream.of() : problem.lines().map(line -> part + line);
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    Value versions = status.get("storageVersions");
    for (Value each : versions) {
      validateServer(each);
    }
    validateCommon(status.get("commonEncodingVersion"), common(versions));
    validateConditions(status);
  }

  private static void validateServer(Value server) {
    Value identity = server.get("apiServerID").orEmpty();
    String problem = Formats.DNS_SUBDOMAIN.apply(identity.text());
    if (!problem.isEmpty()) {
      identity.invalid(problem);
    }
    Value encoding = server.get("encodingVersion").orEmpty();
    validateVersion(encoding);
    Value decodable = server.get("decodableVersions");
    for (Value each : decodable) {
      validateVersion(each);
    }
    if (!decodable.contains(encoding.text())) {
      decodable.invalid("decodableVersions must include encodingVersion " + encoding.text());
    }
  }

  private static void validateVersion(Value version) {
    List<String> problems = new ArrayList<>();
    String[] parts = version.text().split("/", -1);
    if (parts.length > 2) {
      problems.add(VERSION_FORM);
    } else {
      if (parts.length == 2) {
        problems.addAll(part("group part: ", Formats.DNS_SUBDOMAIN, parts[0]));
      }
      problems.addAll(part("version part: ", Formats.DNS_1035_LABEL, parts[parts.length - 1]));
    }
    if (!problems.isEmpty()) {
      version.invalid(String.join(",", problems));
    }
  }

  private static List<String> part(String name, UnaryOperator<String> format, String text) {
    return text.isEmpty() ? List.of(name + EMPTY) : problem(name, format, text).toList();
  }

  /** The version that all servers write; empty if they differ or there is none. */
  private static String common(Value versions) {
    String common = "";
    for (Value each : versions) {
      String encoding = each.get("encodingVersion").text();
      if (!common.isEmpty() && !encoding.equals(common)) {
        return "";
      }
      common = encoding;
    }
    return common;
  }

  private static void validateCommon(Value stated, String actual) {
    if (actual.isEmpty()) {
      if (stated.present()) {
        stated.invalid(
            "should be nil if servers do not agree on the same encoding version, or if there is no"
                + " server reporting the supported versions yet");
      }
    } else if (stated.absent()) {
      stated.invalid("the common encoding version is " + actual);
    } else if (!stated.is(actual)) {
      stated.invalid("the actual common encoding version is " + actual);
    }
  }

  /** As in Kubernetes, the paths name the status, and the type stands for a wrong status. */
  private static void validateConditions(Value status) {
    Map<String, Integer> seen = new HashMap<>();
    int index = 0;
    for (Value condition : status.get("conditions")) {
      Value place = status.at(index);
      Value type = condition.get("type").orEmpty();
      Integer before = seen.put(type.text(), index);
      if (before != null) {
        type.invalidAt(
            place.get("type"),
            "the type of the condition is not unique, it also appears in conditions["
                + before
                + "]");
      }
      Value told = condition.get("status").orEmpty();
      String problem = Formats.QUALIFIED_NAME.apply(type.text());
      if (!problem.isEmpty()) {
        type.invalidAt(place.get("type"), problem);
      }
      problem = Formats.QUALIFIED_NAME.apply(told.text());
      if (!problem.isEmpty()) {
        type.invalidAt(place.get("status"), problem);
      }
      for (String field : List.of("reason", "message")) {
        if (!condition.get(field).filled()) {
          Value unused = place.get(field).needed(field + " cannot be empty");
        }
      }
      index++;
    }
  }
}
