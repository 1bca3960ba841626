package dev.keelson.request;

import dev.keelson.api.GroupVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Resolves the request info of a path, as apiserver's RequestInfoResolver: {@code
 * /api/v1[/watch][/namespaces/ns]/resource[/name[/subresource]]} and the same below {@code
 * /apis/group/version}. Empty segments count, except at both ends.
 */
public final class RequestInfoResolver {

  private RequestInfoResolver() {}

  /**
   * Resolves the request info.
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
    boolean watch = rest.get(0).equals("watch") && rest.size() > 1;
    if (watch) {
      rest = rest.subList(1, rest.size());
    }
    return new ResourcePath(
            groupVersion,
            watch,
            "",
            rest.get(0),
            rest.size() > 1 ? rest.get(1) : "",
            rest.size() > 2 ? rest.get(2) : "",
            rest.size() > 3 ? String.join("/", rest.subList(3, rest.size())) : "")
        .info(path, method, query);
  }

  private static List<String> segments(String path) {
    int from = 0;
    int to = path.length();
    while (from < to && path.charAt(from) == '/') {
      from++;
    }
    while (to > from && path.charAt(to - 1) == '/') {
      to--;
    }
    return List.of(path.substring(from, to).split("/", -1));
  }
}
