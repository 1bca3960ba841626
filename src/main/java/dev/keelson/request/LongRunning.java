package dev.keelson.request;

import dev.keelson.api.Verb;
import java.util.Set;

/**
 * The requests that last as long as client and server like: watches, connections to nodes, and
 * profiles (source: {@code BasicLongRunningRequestCheck} as kube-apiserver configures it).
 */
public final class LongRunning {

  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  /** Where profiles are made. */
  private static final String PROFILES = "/debug/pprof/";

  private LongRunning() {}

  /** Whether a request is one. */
  public static boolean is(RequestInfo info) {
    return switch (info) {
      case RequestInfo.Resource resource ->
          resource.verb() == Verb.WATCH || connects(resource.subresource());
      case RequestInfo.NonResource other -> other.path().startsWith(PROFILES);
    };
  }

  /** Whether a subresource is a connection to a node, a pod or a service. */
  public static boolean connects(String subresource) {
    return CONNECTIONS.contains(subresource);
  }
}
