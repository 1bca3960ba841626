package dev.keelson.request;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Names;
import dev.keelson.api.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads method, path and query as Kubernetes does (apiserver's request info resolver): {@code
 * /api/v1[/watch][/namespaces/ns]/resource[/name[/subresource]]} and the same below {@code
 * /apis/group/version}. The path {@code namespaces/x/status} is the status of namespace x, not a
 * resource {@code status} in it. A path below {@code watch} asks for a watch, whatever the method:
 * only the verb's end of the chain knows that no method but GET will do.
 */
public final class RequestInfoParser {

  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  private RequestInfoParser() {}

  /**
   * What the request is about.
   *
   * @param method the HTTP method, upper case
   * @param path the decoded path, beginning with a slash
   * @param query the first value of each query parameter
   */
  public static RequestInfo parse(String method, String path, Map<String, String> query) {
    List<String> parts = segments(path);
    boolean core = !parts.isEmpty() && parts.get(0).equals("api");
    boolean grouped = !parts.isEmpty() && parts.get(0).equals("apis");
    int head = core ? 2 : 3;
    if (!(core || grouped) || parts.size() <= head) {
      return new RequestInfo.NonResource(path, method.toLowerCase(Locale.ROOT));
    }
    GroupVersion groupVersion =
        core ? new GroupVersion("", parts.get(1)) : new GroupVersion(parts.get(1), parts.get(2));
    List<String> rest = parts.subList(head, parts.size());
    boolean watchPath = rest.get(0).equals("watch") && rest.size() > 1;
    if (watchPath) {
      rest = rest.subList(1, rest.size());
    }
    String namespace = "";
    if (rest.get(0).equals("namespaces") && rest.size() > 1) {
      namespace = rest.get(1);
      if (rest.size() > 2 && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
        rest = rest.subList(2, rest.size());
      }
    }
    String resource = rest.get(0);
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? rest.get(2) : "";
    String tail = rest.size() > 3 ? String.join("/", rest.subList(3, rest.size())) : "";
    Verb verb = watchPath ? Verb.WATCH : verb(method, name, query);
    // not of a deletecollection, which rules with resourceNames never allow
    if (name.isEmpty() && (verb == Verb.LIST || verb == Verb.WATCH)) {
      name = nameIn(query.getOrDefault("fieldSelector", ""));
    }
    return new RequestInfo.Resource(
        path, verb, groupVersion, namespace, resource, subresource, name, tail, watchPath);
  }

  private static Verb verb(String method, String name, Map<String, String> query) {
    return switch (method) {
      case "POST" -> Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> name.isEmpty() ? Verb.DELETE_COLLECTION : Verb.DELETE;
      default -> {
        if (!name.isEmpty()) {
          yield Verb.GET;
        }
        yield truth(query.getOrDefault("watch", "false")) ? Verb.WATCH : Verb.LIST;
      }
    };
  }

  /**
   * A query boolean as Go's conversion reads it: anything but a form of no is true once it is
   * given, the empty value included.
   */
  private static boolean truth(String value) {
    return !(value.equals("0") || value.toLowerCase(Locale.ROOT).equals("false"));
  }

  /**
   * The name in a field selector that asks for exactly one name, so that rules with resourceNames
   * apply.
   */
  private static String nameIn(String fieldSelector) {
    for (String term : fieldSelector.split(",", -1)) {
      String value =
          term.startsWith("metadata.name==")
              ? term.substring("metadata.name==".length())
              : term.startsWith("metadata.name=") ? term.substring("metadata.name=".length()) : "";
      if (!value.isEmpty() && Names.pathSegment(value).isEmpty()) {
        return value;
      }
    }
    return "";
  }

  private static List<String> segments(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    return parts;
  }
}
