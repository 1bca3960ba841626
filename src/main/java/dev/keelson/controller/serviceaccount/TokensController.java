package dev.keelson.controller.serviceaccount;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maintains Secrets of type {@code kubernetes.io/service-account-token} (source:
 * kube-controller-manager's tokens controller): adds a legacy token, the namespace and the CA
 * certificate, deletes Secrets whose service account was deleted or recreated, and removes deleted
 * Secrets from the list of the account.
 *
 * <p>One thread reads changes and queues objects; a worker reads the current objects and reconciles
 * them. Every server runs it; each write has the resourceVersion that was read as a precondition.
 */
public final class TokensController implements QueueOwner, AutoCloseable {

  private static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");
  private static final GroupVersionResource ACCOUNTS =
      GroupVersion.CORE_V1.resource("serviceaccounts");
  private static final GroupVersionResource CONFIG_MAPS =
      GroupVersion.CORE_V1.resource("configmaps");
  private static final String TYPE = "kubernetes.io/service-account-token";
  private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
  private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";

  /** The ConfigMap with the date since which the use of legacy tokens is tracked. */
  private static final String TRACKING = "kube-apiserver-legacy-service-account-token-tracking";

  private static final String SINCE = "since";

  /** Interval of looks at that ConfigMap. */
  private static final Duration TRACKING_INTERVAL = Duration.ofMinutes(30);

  private final ResourceClient client;
  private final TokenSource source;
  private final Maker maker;
  private final Node authority;
  private final InstantSource clock;
  private final WorkQueue<Item> queue =
      new WorkQueue<>("serviceaccount_tokens_secret", Duration.ofMillis(50), Duration.ofMinutes(1));
  private final Followed followed = new Followed();
  private final ControllerLoop feed;
  private final ControllerLoop worker;

  /** Generates the token of a Secret. */
  @FunctionalInterface
  public interface Maker {

    /** Generates a token of {@code account} for the Secret {@code secret}. */
    String token(ApiObject account, String secret);
  }

  /** An item of the queue. */
  private sealed interface Item {

    /** A Secret that exists or was deleted. */
    record Secret(String namespace, String name) implements Item {}

    /** A service account that may list a deleted Secret. */
    record Listed(String namespace, String account, String secret) implements Item {}

    /** The tracking ConfigMap. */
    record Tracking() implements Item {}
  }

  /**
   * Creates the controller without starting it.
   *
   * @param authorityPem the CA certificate of the server
   */
  public TokensController(
      ResourceClient client,
      TokenSource source,
      Maker maker,
      String authorityPem,
      InstantSource clock) {
    this.client = client;
    this.source = source;
    this.maker = maker;
    this.authority = encoded(authorityPem);
    this.clock = clock;
    feed =
        ControllerLoop.every(
            "token-feed", ControllerLoop.NO_RESYNC, () -> source.catchUp(followed));
    worker = ControllerLoop.workers("token-secrets", 1, queue, this::reconcile);
  }

  /** Starts the threads; the system namespaces must exist. */
  public void start() {
    queue.add(new Item.Tracking());
    source.listen(feed::signal);
    feed.start();
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    feed.close();
    worker.close();
  }

  private Outcome reconcile(Item item) {
    try {
      switch (item) {
        case Item.Secret(String namespace, String name) -> process(namespace, name);
        case Item.Listed(String namespace, String account, String secret) ->
            unlist(namespace, account, secret);
        case Item.Tracking() -> track();
      }
    } catch (ApiException e) {
      // a concurrent write or a terminating namespace: the feed queues the object again
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.FORBIDDEN) {
        throw e;
      }
    }
    return Outcome.DONE;
  }

  private void process(String namespace, String name) {
    ApiObject secret = client.get(SECRETS, namespace, name).orElse(null);
    if (secret == null || !isToken(secret) || secret.meta().deleting()) {
      return;
    }
    Optional<ApiObject> account =
        client.get(ACCOUNTS, namespace, account(secret)).filter(found -> fits(secret, found));
    if (account.isEmpty()) {
      client.delete(
          SECRETS,
          namespace,
          name,
          new DeleteRequest(
              secret.meta().uid(),
              secret.meta().resourceVersion(),
              DeleteRequest.Dependents.DEFAULT));
      return;
    }
    Optional<ApiObject> unused =
        client.change(
            SECRETS,
            namespace,
            name,
            now -> isToken(now) && fits(now, account.get()) ? filled(now, account.get()) : now);
  }

  private ApiObject filled(ApiObject secret, ApiObject account) {
    MapNode data = secret.root().map("data");
    if (!authority.equals(data.get("ca.crt"))) {
      data = data.with("ca.crt", authority);
    }
    if (data.text("namespace").isEmpty()) {
      data = data.with("namespace", encoded(secret.meta().namespace()));
    }
    if (data.text("token").isEmpty()) {
      data = data.with("token", encoded(maker.token(account, secret.meta().name())));
    }
    MapNode annotations = secret.meta().node().map("annotations");
    if (annotations.text(ACCOUNT_UID).isEmpty()) {
      annotations = annotations.with(ACCOUNT_UID, Node.text(account.meta().uid()));
    }
    return secret.with("data", data).withMeta(secret.meta().with("annotations", annotations));
  }

  private void unlist(String namespace, String account, String secret) {
    if (client.get(SECRETS, namespace, secret).isPresent()) {
      return;
    }
    Optional<ApiObject> unused =
        client.change(ACCOUNTS, namespace, account, object -> without(object, secret));
  }

  private static ApiObject without(ApiObject account, String secret) {
    List<Node> listed = account.root().items("secrets");
    List<Node> kept =
        listed.stream()
            .filter(item -> !(item instanceof MapNode map && map.text("name").equals(secret)))
            .toList();
    if (kept.size() == listed.size()) {
      return account;
    }
    return kept.isEmpty()
        ? account.without("secrets")
        : account.with("secrets", new Node.Items(kept));
  }

  /** Source: kube-apiserver's legacytokentracking controller. */
  private void track() {
    queue.addAfter(new Item.Tracking(), TRACKING_INTERVAL);
    if (client.change(CONFIG_MAPS, "kube-system", TRACKING, this::dated).isPresent()) {
      return;
    }
    MapNode map = MapNode.of("metadata", MapNode.of("name", Node.text(TRACKING)));
    try {
      ApiObject unused = client.create(CONFIG_MAPS, "kube-system", dated(new ApiObject(map)));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  /** The ConfigMap with the day of today, unless it has a day. */
  private ApiObject dated(ApiObject map) {
    MapNode data = map.root().map("data");
    try {
      LocalDate unused = LocalDate.parse(data.text(SINCE));
      return map;
    } catch (DateTimeParseException e) {
      String today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
      return map.with("data", MapNode.of(SINCE, Node.text(today)));
    }
  }

  private static boolean isToken(ApiObject secret) {
    return secret.root().text("type").equals(TYPE);
  }

  private static String account(ApiObject secret) {
    return secret.meta().node().map("annotations").text(ACCOUNT_NAME);
  }

  private static boolean fits(ApiObject secret, ApiObject account) {
    String uid = secret.meta().node().map("annotations").text(ACCOUNT_UID);
    return uid.isEmpty() || uid.equals(account.meta().uid());
  }

  private static Node encoded(String text) {
    return Node.text(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The token Secrets by service account. Confined to the feed thread. */
  private final class Followed implements ObjectSink<TokenSource.Kind> {

    private record Place(String namespace, String name) {}

    /** The service account of every token Secret. */
    private final Map<Place, String> accounts = new HashMap<>();

    /** The token Secrets of every service account. */
    private final Map<Place, Set<String>> secrets = new HashMap<>();

    @Override
    public void clear(TokenSource.Kind kind) {
      if (kind == TokenSource.Kind.SECRETS) {
        // also queues Secrets that were deleted meanwhile
        accounts.forEach((place, account) -> gone(place, account));
        accounts.clear();
        secrets.clear();
      } else {
        accounts.keySet().forEach(place -> look(place.namespace(), place.name()));
      }
    }

    @Override
    public void put(TokenSource.Kind kind, ApiObject object) {
      String namespace = object.meta().namespace();
      String name = object.meta().name();
      if (kind == TokenSource.Kind.ACCOUNTS) {
        lookAtAll(namespace, name);
        return;
      }
      Place place = new Place(namespace, name);
      if (!isToken(object)) {
        return;
      }
      String before = accounts.put(place, account(object));
      if (before != null && !before.equals(account(object))) {
        forget(place, before);
      }
      secrets
          .computeIfAbsent(new Place(namespace, account(object)), _ -> new HashSet<>())
          .add(name);
      look(namespace, name);
    }

    @Override
    public void remove(TokenSource.Kind kind, String namespace, String name) {
      if (kind == TokenSource.Kind.ACCOUNTS) {
        lookAtAll(namespace, name);
        return;
      }
      Place place = new Place(namespace, name);
      @Nullable String account = accounts.remove(place);
      if (account != null) {
        forget(place, account);
        gone(place, account);
      }
    }

    private void forget(Place secret, String account) {
      Place owner = new Place(secret.namespace(), account);
      Set<String> names = secrets.get(owner);
      if (names != null && names.remove(secret.name()) && names.isEmpty()) {
        secrets.remove(owner);
      }
    }

    private void lookAtAll(String namespace, String account) {
      secrets
          .getOrDefault(new Place(namespace, account), Set.of())
          .forEach(name -> look(namespace, name));
    }

    private void look(String namespace, String name) {
      queue.add(new Item.Secret(namespace, name));
    }

    private void gone(Place secret, String account) {
      queue.add(new Item.Listed(secret.namespace(), account, secret.name()));
    }
  }
}
