package dev.keelson.controller.token;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Deletes service account tokens in Secrets that were made for the account and that nobody has used
 * for long: first they are marked invalid, then deleted after the same time again (KEP-2799;
 * source: {@code legacy_serviceaccount_token_cleaner.go}). Keeps nothing between its looks.
 */
public final class LegacyTokenCleaner implements Controller {

  private static final Logger LOG = Logger.getLogger(LegacyTokenCleaner.class);

  private static final String ACCOUNT = "legacy-service-account-token-cleaner";
  private static final Duration INTERVAL = Duration.ofHours(24);
  private static final String TRACKING = "kube-apiserver-legacy-service-account-token-tracking";
  private static final String LAST_USED = "kubernetes.io/legacy-token-last-used";
  private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
  private static final Set<String> REFERENCES =
      Set.of("secret", "secretRef", "secretKeyRef", "nodePublishSecretRef", "imagePullSecrets");

  private final ApiClient client;
  private final ApiClient reader;
  private final InstantSource clock;
  private final Duration period;
  private final ControllerLoop loop =
      ControllerLoop.every("legacy-token-cleaner", INTERVAL, this::clean);

  /**
   * Not yet started.
   *
   * @param period how long a token must not have been used
   */
  public LegacyTokenCleaner(ControllerContext context, Duration period) {
    this.client = context.client(ACCOUNT);
    this.reader = context.ownClient();
    this.clock = context.clock();
    this.period = period;
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void clean() throws InterruptedException {
    Instant now = clock.instant();
    Optional<LocalDate> tracked =
        client
            .get(GroupVersion.CORE_V1.resource("configmaps"), "kube-system", TRACKING)
            .flatMap(map -> date(map.root().map("data").text("since")));
    // the day after the one on which it began
    if (tracked.isEmpty()
        || now.isBefore(
            tracked.get().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(period))) {
      return;
    }
    Instant limit = now.minus(period);
    Map<String, Set<String>> used = new HashMap<>();
    Selection tokens =
        new Selection(BootstrapToken.SECRETS, "", "", "type=kubernetes.io/service-account-token");
    for (ApiObject secret : reader.list(tokens)) {
      if (isOld(secret, limit) && isGenerated(secret) && !isMounted(secret, used)) {
        retire(secret, now, day(limit));
      }
    }
  }

  private static LocalDate day(Instant time) {
    return time.atOffset(ZoneOffset.UTC).toLocalDate();
  }

  private static Optional<LocalDate> date(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(LocalDate.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Whether a token was made and last used before a time; not if that cannot be told. */
  static boolean isOld(ApiObject secret, Instant limit) {
    if (secret.meta().deleting()
        || !Times.instant(secret.meta().creationTimestamp()).isBefore(limit)) {
      return false;
    }
    String used = secret.meta().labels().get(LAST_USED);
    return used == null || date(used).map(last -> last.isBefore(day(limit))).orElse(false);
  }

  /** Whether the account of a token names it: others were made by users. */
  private boolean isGenerated(ApiObject secret) throws InterruptedException {
    Map<String, String> annotations = secret.meta().annotations();
    String name = annotations.getOrDefault("kubernetes.io/service-account.name", "");
    String uid = annotations.getOrDefault("kubernetes.io/service-account.uid", "");
    if (name.isEmpty()) {
      return false;
    }
    ApiObject account =
        reader
            .get(GroupVersion.CORE_V1.resource("serviceaccounts"), secret.meta().namespace(), name)
            .orElse(null);
    return account != null
        && (uid.isEmpty() || uid.equals(account.meta().uid()))
        && account.root().maps("secrets").stream()
            .anyMatch(each -> each.text("name").equals(secret.meta().name()));
  }

  private boolean isMounted(ApiObject secret, Map<String, Set<String>> used)
      throws InterruptedException {
    String namespace = secret.meta().namespace();
    Set<String> names = used.get(namespace);
    if (names == null) {
      names = new HashSet<>();
      for (ApiObject pod :
          reader.list(new Selection(GroupVersion.CORE_V1.resource("pods"), namespace, "", ""))) {
        collect(pod.root().map("spec"), names);
      }
      used.put(namespace, names);
    }
    return names.contains(secret.meta().name());
  }

  /** Adds the names of all Secrets that a part of a pod refers to. */
  static void collect(Node node, Set<String> names) {
    switch (node) {
      case MapNode map ->
          map.forEach(
              (key, value) -> {
                if (key.equals("secretName") && value instanceof Node.Text text) {
                  names.add(text.value());
                } else if (REFERENCES.contains(key)) {
                  named(value, names);
                }
                collect(value, names);
              });
      case Node.Items items -> items.values().forEach(item -> collect(item, names));
      default -> {
        // a value
      }
    }
  }

  private static void named(Node reference, Set<String> names) {
    switch (reference) {
      case MapNode map -> names.add(map.text("name"));
      case Node.Items items -> items.values().forEach(item -> named(item, names));
      default -> {
        // no reference
      }
    }
  }

  private void retire(ApiObject secret, Instant now, LocalDate limit) throws InterruptedException {
    Optional<LocalDate> invalid = date(secret.meta().labels().getOrDefault(INVALID_SINCE, ""));
    try {
      if (invalid.isEmpty()) {
        mark(secret, day(now));
      } else if (invalid.get().isBefore(limit)) {
        LOG.infof(
            "event=legacy-token-deleted namespace=%s name=%s",
            secret.meta().namespace(), secret.meta().name());
        boolean unused =
            client.deleteIfPresent(
                BootstrapToken.SECRETS,
                secret.meta().namespace(),
                secret.meta().name(),
                new DeleteRequest(
                    "", secret.meta().resourceVersion(), DeleteRequest.Dependents.DEFAULT));
      }
    } catch (ApiException e) {
      // used or deleted meanwhile
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
    }
  }

  private void mark(ApiObject secret, LocalDate today) throws InterruptedException {
    MapNode labels = MapNode.of(INVALID_SINCE, Node.text(today.toString()));
    Written unused =
        client.patch(
            BootstrapToken.SECRETS,
            secret.meta().namespace(),
            secret.meta().name(),
            "",
            Patch.MERGE,
            MapNode.of(
                "metadata",
                MapNode.of("uid", Node.text(secret.meta().uid())).with("labels", labels)));
  }
}
