package dev.keelson.server.identity;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;

/**
 * Records the last use of a legacy token in a label of its Secret (KEP-2799): once a day and in the
 * background, so that requests neither wait nor fail.
 */
record LegacyTokenTracking(ResourceClient client, Set<String> underWay)
    implements BiConsumer<ApiObject, LocalDate> {

  private static final Logger LOG = Logger.getLogger(LegacyTokenTracking.class);
  private static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");
  private static final String LABEL = "kubernetes.io/legacy-token-last-used";

  LegacyTokenTracking(ResourceClient client) {
    this(client, ConcurrentHashMap.newKeySet());
  }

  @Override
  public void accept(ApiObject secret, LocalDate day) {
    if (!day.toString().equals(secret.meta().labels().get(LABEL))
        && underWay.add(secret.meta().uid())) {
      Thread unused = Thread.ofVirtual().name("token-use").start(() -> note(secret, day));
    }
  }

  private void note(ApiObject secret, LocalDate day) {
    try {
      Optional<ApiObject> unused =
          client.change(
              SECRETS,
              secret.meta().namespace(),
              secret.meta().name(),
              now ->
                  now.withMeta(
                      now.meta()
                          .with(
                              "labels",
                              now.meta()
                                  .node()
                                  .map("labels")
                                  .with(LABEL, Node.text(day.toString())))));
    } catch (RuntimeException e) {
      // the next use retries
      LOG.warnf(
          "event=legacy-token-tracking-failed secret=%s/%s error=%s",
          secret.meta().namespace(), secret.meta().name(), e.getMessage());
    } finally {
      underWay.remove(secret.meta().uid());
    }
  }
}
