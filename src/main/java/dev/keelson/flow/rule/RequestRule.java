package dev.keelson.flow.rule;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Which requests a rule of a FlowSchema is about (source: apiserver, util/flowcontrol, rule.go).
 */
sealed interface RequestRule {

  /** Stands for every value of a list, of which it is the only element then. */
  String ALL = "*";

  /**
   * Requests for resources.
   *
   * @param resources plurals, with a subresource as {@code plural/subresource}
   * @param clusterScope whether requests without a namespace match
   * @param namespaces of the requests with one
   */
  record Resources(
      List<String> verbs,
      List<String> groups,
      List<String> resources,
      boolean clusterScope,
      List<String> namespaces)
      implements RequestRule {

    public Resources {
      verbs = List.copyOf(verbs);
      groups = List.copyOf(groups);
      resources = List.copyOf(resources);
      namespaces = List.copyOf(namespaces);
    }

    static Resources of(MapNode rule) {
      return new Resources(
          texts(rule, "verbs"),
          texts(rule, "apiGroups"),
          texts(rule, "resources"),
          Node.Bool.TRUE.equals(rule.get("clusterScope")),
          texts(rule, "namespaces"));
    }

    boolean matches(RequestInfo.Resource request) {
      return has(verbs, request.verb().word())
          && hasResource(request)
          && has(groups, request.groupVersion().group())
          && (request.namespace().isEmpty() ? clusterScope : has(namespaces, request.namespace()));
    }

    private boolean hasResource(RequestInfo.Resource request) {
      if (isAll(resources)) {
        return true;
      }
      return request.subresource().isEmpty()
          ? resources.contains(request.resource())
          : resources.contains(request.resource() + "/" + request.subresource());
    }
  }

  /**
   * Requests for other paths. A path stands for itself and all below it, with or without a trailing
   * {@code *}.
   */
  record Paths(List<String> verbs, List<String> paths) implements RequestRule {

    public Paths {
      verbs = List.copyOf(verbs);
      paths = List.copyOf(paths);
    }

    static Paths of(MapNode rule) {
      return new Paths(texts(rule, "verbs"), texts(rule, "nonResourceURLs"));
    }

    boolean matches(RequestInfo.NonResource request) {
      return has(verbs, request.verb()) && hasPath(request.path());
    }

    private boolean hasPath(String asked) {
      for (String path : paths) {
        if (path.equals(ALL) || path.equals(asked) || isBelow(path, asked)) {
          return true;
        }
      }
      return false;
    }

    private static boolean isBelow(String path, String asked) {
      int length = path.endsWith("*") ? path.length() - 1 : path.length();
      boolean slash = length > 0 && path.charAt(length - 1) == '/';
      return asked.regionMatches(0, path, 0, length)
          && (slash || (asked.length() > length && asked.charAt(length) == '/'));
    }
  }

  private static boolean isAll(List<String> list) {
    return list.size() == 1 && list.getFirst().equals(ALL);
  }

  private static boolean has(List<String> list, String value) {
    return isAll(list) || list.contains(value);
  }

  private static List<String> texts(MapNode rule, String field) {
    List<String> texts = new ArrayList<>();
    for (Node item : rule.items(field)) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }
}
