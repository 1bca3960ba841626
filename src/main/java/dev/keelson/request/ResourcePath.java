package dev.keelson.request;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Names;
import dev.keelson.api.Verb;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The path of a resource by its parts, each of which may be empty but the resource. The parts may
 * be given with the namespace or with "namespaces" as the resource; either way {@code
 * namespaces/x/status} is the status of namespace x and not a resource {@code status} in it, and
 * {@code namespaces/x/pods} is the resource {@code pods} in x.
 *
 * @param groupVersion the group and version
 * @param watch whether this is one of the deprecated {@code /watch/} paths
 * @param namespace the namespace
 * @param resource the plural
 * @param name the name of the object
 * @param subresource the segment after the name
 * @param rest what follows the subresource, without a leading slash
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

  public ResourcePath {
    if (namespace.isEmpty() && resource.equals(NAMESPACES) && !name.isEmpty()) {
      namespace = name;
      if (!subresource.isEmpty() && !OF_NAMESPACES.contains(subresource)) {
        String[] more = rest.split("/", 3);
        resource = subresource;
        name = more[0];
        subresource = more.length > 1 ? more[1] : "";
        rest = more.length > 2 ? more[2] : "";
      }
    } else if (!namespace.isEmpty() && OF_NAMESPACES.contains(resource)) {
      rest = joined(name, subresource, rest);
      subresource = resource;
      name = namespace;
      resource = NAMESPACES;
    }
  }

  private static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("/"));
  }

  /**
   * What a request for this path is about. A path below {@code watch} asks for a watch, whatever
   * the method: only the end of the chain knows that no method but GET will do.
   *
   * @param path the whole path as it was sent, decoded
   * @param method the HTTP method, upper case
   * @param query the first value of each query parameter
   */
  public RequestInfo.Resource info(String path, String method, Map<String, String> query) {
    Verb verb = watch ? Verb.WATCH : verb(method, query);
    String named = name;
    // not of a deletecollection, which rules with resourceNames never allow
    if (name.isEmpty() && (verb == Verb.LIST || verb == Verb.WATCH)) {
      named = nameIn(query.getOrDefault("fieldSelector", ""));
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
}
