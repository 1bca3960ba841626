package dev.keelson.authn.serviceaccount;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authn.jwt.SigningKey;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.request.RequestContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Generates service account tokens: those of TokenRequests (KEP-1205), with audiences, an
 * expiration and a bound object, and legacy tokens for Secrets.
 */
public final class ServiceAccountTokenGenerator {

  private static final GroupVersionKind KIND =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");
  private static final long DEFAULT_SECONDS = 3600;
  private static final long LEAST_SECONDS = 600;
  private static final long MOST_SECONDS = 1L << 32;

  /** The expiration that kubelets request for pods that may not reload their token. */
  private static final long EXTENDABLE_SECONDS = 3607;

  private static final long EXTENDED_SECONDS = Duration.ofDays(365).toSeconds();

  private final SigningKey key;
  private final ServiceAccountOptions options;
  private final List<String> apiAudiences;
  private final ResourceClient client;
  private final InstantSource clock;

  public ServiceAccountTokenGenerator(
      SigningKey key,
      ServiceAccountOptions options,
      List<String> apiAudiences,
      ResourceClient client,
      InstantSource clock) {
    this.key = key;
    this.options = options;
    this.apiAudiences = List.copyOf(apiAudiences);
    this.client = client;
    this.clock = clock;
  }

  /** The bound object of a token, as claims by name. */
  private record Binding(Map<String, Object> claims, boolean toPod) {}

  /** A TokenRequest with the default of its time. */
  public static ApiObject defaulted(ApiObject request) {
    MapNode spec = request.root().map("spec");
    return spec.get("expirationSeconds") instanceof Node.Int
        ? request
        : request.with("spec", spec.with("expirationSeconds", new Node.Int(DEFAULT_SECONDS)));
  }

  /**
   * Handles a TokenRequest.
   *
   * @param namespace the namespace of the service account
   * @param name the name of the service account
   * @param context takes the warnings for the client and the audit annotations
   * @return the TokenRequest with its status
   * @throws ApiException if the service account or the bound object does not exist, or the request
   *     is invalid
   */
  public ApiObject answer(
      String namespace, String name, ApiObject request, RequestContext context) {
    checkPlace(request.meta(), namespace, name);
    ApiObject account =
        client
            .get(BoundResources.ACCOUNTS, namespace, name)
            .orElseThrow(
                () -> ApiException.notFound(BoundResources.ACCOUNTS.groupResource(), name));
    checkAccount(request.meta().uid(), account);
    MapNode spec = request.root().map("spec");
    List<String> audiences = texts(spec.items("audiences"));
    if (audiences.isEmpty()) {
      audiences = apiAudiences;
    }
    long seconds =
        spec.get("expirationSeconds") instanceof Node.Int(long given) ? given : DEFAULT_SECONDS;
    checkSeconds(seconds);
    Instant now = clock.instant();
    Binding binding =
        spec.get("boundObjectRef") instanceof MapNode reference
            ? binding(reference, account)
            : new Binding(Map.of(), /* toPod= */ false);
    seconds = shortened(seconds, context::warn);
    long warnAfter = 0;
    long life = seconds;
    if (options.extendExpiration()
        && binding.toPod()
        && seconds == EXTENDABLE_SECONDS
        && apiAudiences.containsAll(audiences)) {
      warnAfter = seconds;
      life = EXTENDED_SECONDS;
    }
    String id = UUID.randomUUID().toString();
    String token = key.sign(claims(id, account, audiences, now, life, warnAfter, binding.claims()));
    context.annotate("authentication.kubernetes.io/issued-credential-id", "JTI=" + id);
    return answered(request, account.meta(), audiences, seconds, token, now);
  }

  /** A uid in the request must match: a later account of the same name is not meant. */
  private static void checkAccount(String wanted, ApiObject account) {
    if (!wanted.isEmpty() && !wanted.equals(account.meta().uid())) {
      throw ApiException.conflict(
          new GroupResource(KIND.group(), KIND.kind()),
          account.meta().name(),
          "the UID in the token request (%s) does not match the UID of the service account (%s)"
              .formatted(wanted, account.meta().uid()));
    }
  }

  private static void checkPlace(ObjectMeta meta, String namespace, String name) {
    if (!meta.name().isEmpty() && !meta.name().equals(name)) {
      throw invalid(
          name,
          FieldCause.invalid(
              "metadata.name", meta.name(), "must match the service account name if specified"));
    }
    if (!meta.namespace().isEmpty() && !meta.namespace().equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static ApiException invalid(String name, FieldCause cause) {
    return ApiException.invalid(KIND, name, List.of(cause));
  }

  private static void checkSeconds(long seconds) {
    String why =
        seconds < LEAST_SECONDS
            ? "may not specify a duration less than 10 minutes"
            : seconds > MOST_SECONDS ? "may not specify a duration larger than 2^32 seconds" : "";
    if (!why.isEmpty()) {
      FieldCause cause =
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: " + seconds + ": " + why,
              "spec.expirationSeconds");
      throw invalid("", cause);
    }
  }

  private long shortened(long seconds, Consumer<String> warnings) {
    Duration most = options.maxExpiration();
    if (most == null || seconds <= most.toSeconds()) {
      return seconds;
    }
    warnings.accept(
        "requested expiration of %d seconds shortened to %d seconds"
            .formatted(seconds, most.toSeconds()));
    return most.toSeconds();
  }

  private Binding binding(MapNode reference, ApiObject account) {
    String kind = reference.text("kind");
    String version = reference.text("apiVersion");
    String group = version.indexOf('/') < 0 ? "" : version.substring(0, version.indexOf('/'));
    GroupVersionResource resource =
        !group.isEmpty()
            ? null
            : switch (kind) {
              case "Pod" -> BoundResources.PODS;
              case "Secret" -> BoundResources.SECRETS;
              case "Node" -> BoundResources.NODES;
              default -> null;
            };
    if (resource == null) {
      throw ApiException.badRequest(
          "cannot bind token to object of type "
              + (group.isEmpty() ? "/" + version : version)
              + ", Kind="
              + kind);
    }
    String namespace = kind.equals("Node") ? "" : account.meta().namespace();
    String name = reference.text("name");
    ApiObject object =
        client
            .get(resource, namespace, name)
            .orElseThrow(() -> ApiException.notFound(resource.groupResource(), name));
    Map<String, Object> claims = new LinkedHashMap<>();
    if (kind.equals("Pod")) {
      String runsAs = object.root().map("spec").text("serviceAccountName");
      if (!runsAs.equals(account.meta().name())) {
        throw ApiException.badRequest(
            "cannot bind token for serviceaccount \"%s\" to pod running with different"
                    .formatted(account.meta().name())
                + " serviceaccount name.");
      }
      node(object.root().map("spec").text("nodeName"), claims);
    }
    checkUid(reference.text("uid"), object, kind);
    claims.put(kind.toLowerCase(java.util.Locale.ROOT), reference(object));
    return new Binding(claims, kind.equals("Pod"));
  }

  /** Adds the pod's node to the claims, with its uid if the node exists. */
  private void node(String name, Map<String, Object> claims) {
    if (!name.isEmpty()) {
      ApiObject node = client.get(BoundResources.NODES, "", name).orElse(null);
      claims.put("node", node == null ? Map.of("name", name) : reference(node));
    }
  }

  private static void checkUid(String wanted, ApiObject object, String kind) {
    if (!wanted.isEmpty() && !wanted.equals(object.meta().uid())) {
      throw ApiException.conflict(
          new GroupResource("", kind),
          object.meta().name(),
          "the UID in the bound object reference ("
              + wanted
              + ") does not match the UID in record. The object might have been deleted and then"
              + " recreated");
    }
  }

  private static Map<String, Object> reference(ApiObject object) {
    return ordered("name", object.meta().name(), "uid", object.meta().uid());
  }

  private Map<String, Object> claims(
      String id,
      ApiObject account,
      List<String> audiences,
      Instant now,
      long life,
      long warnAfter,
      Map<String, Object> bound) {
    ServiceAccountName name =
        new ServiceAccountName(account.meta().namespace(), account.meta().name());
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("namespace", name.namespace());
    own.putAll(bound);
    own.put("serviceaccount", reference(account));
    if (warnAfter > 0) {
      own.put("warnafter", now.getEpochSecond() + warnAfter);
    }
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("aud", audiences);
    claims.put("exp", now.getEpochSecond() + life);
    claims.put("iat", now.getEpochSecond());
    claims.put("iss", options.issuers().getFirst());
    claims.put("jti", id);
    claims.put("kubernetes.io", own);
    claims.put("nbf", now.getEpochSecond());
    claims.put("sub", name.userName());
    return claims;
  }

  /** Generates the legacy token of a Secret, which does not expire. */
  public String legacyToken(ApiObject account, String secret) {
    ServiceAccountName name =
        new ServiceAccountName(account.meta().namespace(), account.meta().name());
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", ServiceAccountTokenAuthenticator.LEGACY_ISSUER);
    claims.put("kubernetes.io/serviceaccount/namespace", name.namespace());
    claims.put("kubernetes.io/serviceaccount/secret.name", secret);
    claims.put("kubernetes.io/serviceaccount/service-account.name", name.name());
    claims.put("kubernetes.io/serviceaccount/service-account.uid", account.meta().uid());
    claims.put("sub", name.userName());
    return key.sign(claims);
  }

  private static ApiObject answered(
      ApiObject request,
      ObjectMeta account,
      List<String> audiences,
      long seconds,
      String token,
      Instant now) {
    MapNode spec =
        request
            .root()
            .map("spec")
            .with("audiences", Node.texts(audiences))
            .with("expirationSeconds", new Node.Int(seconds));
    if (spec.get("boundObjectRef") == null) {
      spec = spec.with("boundObjectRef", Node.Null.NULL);
    }
    Instant whole = now.truncatedTo(ChronoUnit.SECONDS);
    MapNode status =
        MapNode.of("token", Node.text(token))
            .with("expirationTimestamp", Node.text(whole.plusSeconds(seconds).toString()));
    MapNode meta =
        request
            .root()
            .map("metadata")
            .with("name", Node.text(account.name()))
            .with("namespace", Node.text(account.namespace()))
            .with("uid", Node.text(account.uid()))
            .with("creationTimestamp", Node.text(whole.toString()));
    return request.with("metadata", meta).with("spec", spec).with("status", status);
  }

  private static List<String> texts(List<Node> items) {
    return items.stream()
        .filter(Node.Text.class::isInstance)
        .map(item -> ((Node.Text) item).value())
        .toList();
  }

  private static Map<String, Object> ordered(String one, String first, String two, String second) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(one, first);
    map.put(two, second);
    return map;
  }
}
