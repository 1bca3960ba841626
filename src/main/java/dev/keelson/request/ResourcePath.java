package dev.keelson.request;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Names;
import dev.keelson.api.Verb;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of a resource path; all but the resource may be empty. The constructor normalizes
 * namespaces: {@code namespaces/x/status} is the status of namespace x, not a resource {@code
 * status} in it, and {@code namespaces/x/pods} is the resource {@code pods} in x.
 *
 * @param groupVersion the group and version
 * @param watch whether this is one of the deprecated {@code /watch/} paths
 * @param namespace the namespace
 * @param resource the plural
 * @param name the name of the object
 * @param subresource the subresource
 * @param rest the path after the subresource, without a leading slash
 */
public record ResourcePath(
    GroupVersion groupVersion,
    boolean watch,
    String namespace,
    String resource,
    String name,
    String subresource,
    String rest) {

  private static final String NAMESPACES = "namespaces";
  private static final Set<String> OF_NAMESPACES = Set.of("status", "finalize");

  /** Keelson's own subresource of every stored type; only of namespaces in the core group. */
  private static final String HISTORY = "history";

  public ResourcePath {
    if (namespace.isEmpty() && resource.equals(NAMESPACES) && isInside(name, subresource)) {
      namespace = name;
      boolean deeper = !subresource.isEmpty() || !rest.isEmpty();
      if (deeper && !isOfNamespace(groupVersion, subresource)) {
        String[] more = rest.split("/", 3);
        resource = subresource;
        name = more[0];
        subresource = more.length > 1 ? more[1] : "";
        rest = more.length > 2 ? more[2] : "";
      }
    } else if (!namespace.isEmpty() && isOfNamespace(groupVersion, resource)) {
      rest = joined(name, subresource, rest);
      subresource = resource;
      name = namespace;
      resource = NAMESPACES;
    }
  }

  /** Whether a path goes on behind {@code namespaces/}; the name may be an empty segment. */
  private static boolean isInside(String name, String subresource) {
    return !name.isEmpty() || !subresource.isEmpty();
  }

  private static boolean isOfNamespace(GroupVersion version, String segment) {
    return OF_NAMESPACES.contains(segment)
        || (segment.equals(HISTORY) && version.group().isEmpty());
  }

  private static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("/"));
  }

  /**
   * Resolves the request info of a request for this path. A path below {@code watch} has the verb
   * watch for every method; the end of the chain rejects other methods than GET.
   *
   * @param path the whole decoded path
   * @param method the HTTP method, upper case
   * @param query the first value of each query parameter
   */
  public RequestInfo.Resource info(String path, String method, Map<String, String> query) {
    Verb verb = watch ? Verb.WATCH : verb(method, query);
    String named = name;
    // not for deletecollection, which rules with resourceNames never allow
    if (name.isEmpty() && (verb == Verb.LIST || verb == Verb.WATCH)) {
      named = nameIn(query);
    }
    return new RequestInfo.Resource(
        path, verb, groupVersion, namespace, resource, subresource, named, rest, watch);
  }

  private Verb verb(String method, Map<String, String> query) {
    return switch (method) {
      case "POST" -> Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> name.isEmpty() ? Verb.DELETE_COLLECTION : Verb.DELETE;
      default -> {
        if (!name.isEmpty()) {
          yield Verb.GET;
        }
        yield parseBoolean(query.getOrDefault("watch", "false")) ? Verb.WATCH : Verb.LIST;
      }
    };
  }

  /**
   * A boolean parameter by Kubernetes' conversion: any value but {@code 0} and {@code false} is
   * true, the empty value included.
   */
  private static boolean parseBoolean(String value) {
    return !(value.equals("0") || value.toLowerCase(Locale.ROOT).equals("false"));
  }

  /**
   * Returns the name of a field selector on metadata.name, so that rules with resourceNames apply;
   * empty if a selector is malformed, since such a request is for nothing.
   */
  private static String nameIn(Map<String, String> query) {
    String fieldSelector = query.getOrDefault("fieldSelector", "");
    if (fieldSelector.isEmpty()) {
      return "";
    }
    try {
      LabelSelector unused = LabelSelector.parse(query.getOrDefault("labelSelector", ""));
      String name = FieldSelector.parse(fieldSelector).required("metadata.name");
      return Names.pathSegment(name).isEmpty() ? name : "";
    } catch (ApiException malformed) {
      // the verb refuses it, if the user may ask for everything
      return "";
    }
  }
}
