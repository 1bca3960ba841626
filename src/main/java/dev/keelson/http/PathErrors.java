package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoQuote;
import java.util.Set;

/** The errors of paths and methods that are not served, with Kubernetes' messages. */
public final class PathErrors {

  private static final Set<String> SPECIAL_VERBS = Set.of("proxy", "watch");

  private PathErrors() {}

  /** The error of an unknown path. */
  public static ApiException unknownPath() {
    return new ApiException(
        Reason.NOT_FOUND,
        "the server could not find the requested resource",
        ErrorDetails.NONE,
        null);
  }

  /**
   * Checks that a path does not end behind the word that has to precede a resource ({@code
   * /api/v1/watch}); nothing can be said of such a request (source: RequestInfoFactory of
   * apiserver).
   *
   * @throws ApiException of reason InternalError, as kube-apiserver answers it
   */
  public static void checkResource(RequestInfo info) {
    if (info instanceof RequestInfo.Resource resource
        && resource.name().isEmpty()
        && resource.namespace().isEmpty()
        && SPECIAL_VERBS.contains(resource.resource())
        && endsWithSpecialVerb(info.path())) {
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal Server Error: "
              + GoQuote.quote(info.path())
              + ": failed to create RequestInfo: unable to determine kind and namespace from url, "
              + info.path());
    }
  }

  /** Whether the last part is a word for a verb; behind such a word it is a resource. */
  private static boolean endsWithSpecialVerb(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String before = path.substring(0, Math.max(0, path.lastIndexOf('/', end - 1)));
    return !SPECIAL_VERBS.contains(before.substring(before.lastIndexOf('/') + 1));
  }

  /** The error of a method that the path does not support. */
  public static ApiException notAllowed() {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource",
        ErrorDetails.NONE,
        null);
  }
}
