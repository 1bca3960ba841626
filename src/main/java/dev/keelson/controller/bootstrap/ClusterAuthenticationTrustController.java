package dev.keelson.controller.bootstrap;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Maintains the ConfigMap {@code kube-system/extension-apiserver-authentication}, from which
 * aggregated API servers and other components read the client CAs and front proxies: writes it at
 * start and after changes of the CAs, and restores it every minute (source: kube-apiserver's
 * clusterauthenticationtrust controller).
 */
public final class ClusterAuthenticationTrustController implements AutoCloseable {

  private static final GroupVersionResource CONFIG_MAPS =
      GroupVersion.CORE_V1.resource("configmaps");
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "extension-apiserver-authentication";
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final ResourceClient client;
  private final Supplier<ClusterAuthenticationInfo> trust;
  private final InstantSource clock;
  private final ControllerLoop loop = ControllerLoop.every("trust", PERIOD, this::publish);

  /**
   * Creates the controller without starting it.
   *
   * @param trust supplies the current CAs and front proxies
   */
  public ClusterAuthenticationTrustController(
      ResourceClient client, Supplier<ClusterAuthenticationInfo> trust, InstantSource clock) {
    this.client = client;
    this.trust = trust;
    this.clock = clock;
  }

  /** Starts the loop; the system namespaces must exist. */
  public void start() {
    loop.start();
  }

  /** Triggers an update after a change of the CAs. */
  public void changed() {
    loop.signal();
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Creates or updates the ConfigMap; throws what the client throws. */
  void publish() {
    ClusterAuthenticationInfo now = trust.get();
    Optional<ApiObject> there;
    try {
      there = client.change(CONFIG_MAPS, NAMESPACE, NAME, object -> with(object, now));
    } catch (ApiException e) {
      if (isTooLarge(e)) {
        // the CAs of servers that are gone fill it: the living ones write theirs again
        client.delete(
            CONFIG_MAPS, NAMESPACE, NAME, new DeleteRequest("", "", Dependents.BACKGROUND));
      }
      throw e;
    }
    if (there.isPresent()) {
      return;
    }
    ApiObject empty = new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text(NAME))));
    try {
      ApiObject unused = client.create(CONFIG_MAPS, NAMESPACE, with(empty, now));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
      changed();
    }
  }

  private static boolean isTooLarge(ApiException e) {
    return e.reason() == Reason.REQUEST_ENTITY_TOO_LARGE
        || (e.reason() == Reason.INVALID && e.text().contains("Too long"));
  }

  private ApiObject with(ApiObject object, ClusterAuthenticationInfo now) {
    MapNode data = object.root().map("data");
    MapNode merged = ClusterAuthenticationData.with(data, now, clock.instant());
    return merged.equals(data) ? object : object.with("data", merged);
  }
}
