package dev.keelson.http.loopback;

import dev.keelson.client.rest.ApiTransport;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Makes transports for the parts of this process that are users of the API.
 *
 * @param chain the filters behind authentication, around the verbs and discovery
 * @param timeout the time of a request that is no watch
 */
public record Loopback(RequestHandler chain, Duration timeout) {

  private static final String NAMESPACE = "kube-system";

  /**
   * A transport of a user.
   *
   * @param userAgent the name of the client in the audit log
   */
  public ApiTransport as(UserInfo user, String userAgent) {
    return new LoopbackTransport(chain, user, userAgent, timeout, UUID::randomUUID);
  }

  /**
   * A transport of a service account in {@code kube-system}, as the controllers of Kubernetes have
   * them.
   */
  public ApiTransport serviceAccount(String name) {
    String group = "system:serviceaccounts";
    UserInfo user =
        new UserInfo(
            "system:serviceaccount:" + NAMESPACE + ":" + name,
            "",
            List.of(group, group + ":" + NAMESPACE, "system:authenticated"),
            Map.of());
    return as(user, "keelson/" + name);
  }
}
