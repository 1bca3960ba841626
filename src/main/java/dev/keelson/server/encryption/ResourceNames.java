package dev.keelson.server.encryption;

import dev.keelson.api.GroupResource;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names of resources in an EncryptionConfiguration, and what is not allowed in a list. */
final class ResourceNames {

  private static final GroupResource EVERYTHING = new GroupResource("*", "*");

  /** What kube-apiserver stores beside objects. */
  private static final Set<String> WITHOUT_API =
      Set.of("apiserveripinfo", "serviceipallocations", "servicenodeportallocations");

  private ResourceNames() {}

  /** The resource that {@code name} stands for: what follows the first dot is the group. */
  static GroupResource parse(String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? new GroupResource("", name)
        : new GroupResource(name.substring(dot + 1), name.substring(0, dot));
  }

  /** The name that a file has for {@code resource}. */
  static String name(GroupResource resource) {
    return resource.group().isEmpty() && resource.resource().equals("*")
        ? "*."
        : resource.toString();
  }

  /** The causes for each name that cannot be encrypted. */
  static List<String> errors(List<String> names, String at) {
    List<String> errors = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String detail = trouble(names.get(i));
      if (detail != null) {
        errors.add(Causes.invalidText(at + "[" + i + "]", names.get(i), detail));
      }
    }
    return errors;
  }

  private static @Nullable String trouble(String name) {
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      return "resource name should not contain capital letters";
    }
    if (name.equals("*")) {
      return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
          + " resources";
    }
    if (WITHOUT_API.contains(name)) {
      return "resources which do not have REST API/s cannot be encrypted";
    }
    GroupResource resource = parse(name);
    return switch (resource.group()) {
      case "events.k8s.io" ->
          "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events'"
              + " instead in the config file";
      case "extensions" -> "'extensions' group has been removed and cannot be used for encryption";
      case "*" ->
          resource.resource().equals("*")
              ? null
              : "encrypting the same resource across groups is not supported";
      default -> null;
    };
  }

  /** The causes for names in one list that are the same or include each other. */
  static List<String> overlaps(List<String> names, String at) {
    boolean duplicate = false;
    boolean overlap = false;
    List<GroupResource> resources = names.stream().map(ResourceNames::parse).toList();
    for (int i = 0; i < resources.size(); i++) {
      for (int j = 0; j < resources.size(); j++) {
        GroupResource one = resources.get(i);
        GroupResource other = resources.get(j);
        if (i == j) {
          continue;
        }
        if (one.equals(other) && !duplicate) {
          duplicate = true;
        } else {
          overlap |= includes(one, other);
        }
      }
    }
    List<String> errors = new ArrayList<>();
    if (duplicate) {
      errors.add(invalid(at, names, "the same resource cannot be specified multiple times"));
    }
    if (overlap) {
      errors.add(
          invalid(
              at,
              names,
              "using overlapping resources such as 'secrets' and '*.' in the same resource list is"
                  + " not allowed as they will be masked"));
    }
    return errors;
  }

  private static boolean includes(GroupResource one, GroupResource other) {
    return one.equals(EVERYTHING)
        || (one.group().equals(other.group())
            && (one.resource().equals("*") || other.resource().equals("*")));
  }

  private static String invalid(String at, List<String> names, String detail) {
    String shown = names.stream().map(GoQuote::quote).collect(Collectors.joining(",", "[", "]"));
    return Causes.invalidValue(at, shown, detail);
  }
}
