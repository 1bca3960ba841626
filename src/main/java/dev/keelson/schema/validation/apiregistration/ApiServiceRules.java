package dev.keelson.schema.validation.apiregistration;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.List;

/** The servers of group versions. */
final class ApiServiceRules implements KindRules {

  private static final int HIGHEST_GROUP_PRIORITY = 20_000;
  private static final int HIGHEST_VERSION_PRIORITY = 1_000;
  private static final int HIGHEST_PORT = 65_535;
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    name(object.get("metadata", "name"), spec);
    Value group = spec.get("group");
    Value version = spec.get("version");
    if (!group.filled() && !version.is("v1")) {
      group.required("only v1 may have an empty group and it better be legacy kube");
    }
    group.dnsSubdomain();
    String problem = Formats.DNS_1035_LABEL.apply(version.text());
    if (!problem.isEmpty()) {
      version.orEmpty().invalid(problem);
    }
    priority(spec.get("groupPriorityMinimum"), HIGHEST_GROUP_PRIORITY);
    priority(spec.get("versionPriority"), HIGHEST_VERSION_PRIORITY);
    if (spec.get("service").absent()) {
      local(spec);
    } else {
      remote(spec);
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    for (Value condition : object.get("status", "conditions")) {
      Value status = condition.get("status");
      if (!STATUSES.contains(status.text())) {
        status.unsupportedInOrder(STATUSES.toArray(String[]::new));
      }
    }
  }

  /** A name that is no path segment has its own cause, from the rules of metadata. */
  private static void name(Value name, Value spec) {
    String wanted = spec.get("version").text() + "." + spec.get("group").text();
    if (name.filled() && !name.is(wanted) && Formats.PATH_SEGMENT.apply(name.text()).isEmpty()) {
      name.invalid("must be `spec.version+\".\"+spec.group`: " + GoQuote.quote(wanted));
    }
  }

  private static void priority(Value priority, int highest) {
    if (priority.number() <= 0 || priority.number() > highest) {
      priority.orZero().invalid("must be positive and less than " + highest);
    }
  }

  private static void local(Value spec) {
    Value bundle = spec.get("caBundle");
    if (bundle.filled()) {
      bundle.invalid(bytes(bundle) + " bytes", "local APIServices may not have a caBundle");
    }
    Value insecure = spec.get("insecureSkipTLSVerify");
    if (insecure.flag()) {
      insecure.invalid("local APIServices may not have insecureSkipTLSVerify");
    }
  }

  /** The number of bytes of which {@code base64} is the encoding. */
  private static int bytes(Value base64) {
    String text = base64.text();
    int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
    return text.length() / 4 * 3 - padding;
  }

  private static void remote(Value spec) {
    Value _ = spec.get("service", "namespace").needed();
    Value _ = spec.get("service", "name").needed();
    Value port = spec.get("service", "port");
    if (port.present() && (port.number() < 1 || port.number() > HIGHEST_PORT)) {
      port.invalid("port is not valid: must be between 1 and 65535, inclusive");
    }
    Value insecure = spec.get("insecureSkipTLSVerify");
    if (insecure.flag() && spec.get("caBundle").filled()) {
      insecure.invalid("may not be true if caBundle is present");
    }
  }
}
