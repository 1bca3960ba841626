package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.PodReferences;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * ServiceAccount: sets the default service account of a pod, requires that it exists, and mounts
 * its token, the CA certificate and the namespace unless the pod or the account disables that.
 * Rejects references to Secrets that the account does not allow, and those of mirror pods.
 */
public final class PodServiceAccount implements Admission {

  private static final String DEFAULT = "default";
  private static final String EPHEMERAL = "ephemeralcontainers";
  private static final String MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String VOLUME_PREFIX = "kube-api-access-";
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  /** Number of lookups of the default account in a new namespace, which a controller creates. */
  private static final int ATTEMPTS = 10;

  private final ClusterObjects objects;
  private final RandomGenerator random;
  private final Duration pause;

  /**
   * @param pause the time between lookups of the default account
   */
  public PodServiceAccount(ClusterObjects objects, RandomGenerator random, Duration pause) {
    this.objects = objects;
    this.random = random;
    this.pause = pause;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE
        ? Pods.isPod(resource, subresource)
        : operation == Verb.UPDATE
            && resource.equals(Pods.RESOURCE)
            && subresource.equals(EPHEMERAL);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!Pods.creates(call)) {
      return object;
    }
    if (isMirror(object)) {
      checkMirror(call, object);
      return object;
    }
    MapNode spec = Pods.spec(object);
    String name = spec.text("serviceAccountName");
    if (name.isEmpty()) {
      name = DEFAULT;
    }
    ApiObject account = account(call, name);
    spec = spec.with("serviceAccountName", Node.text(name)).with("serviceAccount", Node.text(name));
    if (mounts(spec, account)) {
      spec = mounted(spec);
    }
    List<Node> secrets = account.root().items("imagePullSecrets");
    if (spec.items("imagePullSecrets").isEmpty() && !secrets.isEmpty()) {
      spec = spec.with("imagePullSecrets", new Node.Items(secrets));
    }
    checkSecrets(call, account, spec);
    return object.with("spec", spec);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject pod = call.object();
    if (pod == null) {
      return;
    }
    MapNode spec = Pods.spec(pod);
    if (!Pods.creates(call)) {
      Optional<MountableSecrets> limits = MountableSecrets.of(named(call, pod));
      String problem = limits.isEmpty() ? "" : limits.get().ephemeralProblem(spec);
      if (!problem.isEmpty()) {
        // kube-apiserver gives this error no reason
        throw new ApiException(Reason.UNKNOWN, problem);
      }
    } else if (isMirror(pod)) {
      checkMirror(call, pod);
    } else {
      checkSecrets(call, named(call, pod), spec);
    }
  }

  private static boolean isMirror(ApiObject pod) {
    return pod.meta().annotations().containsKey("kubernetes.io/config.mirror");
  }

  /** Mirror pods get nothing from the API, since their kubelet did not ask it whether they may. */
  private static void checkMirror(AdmissionAttributes call, ApiObject pod) {
    MapNode spec = Pods.spec(pod);
    if (!spec.text("serviceAccountName").isEmpty()) {
      throw call.forbidden("a mirror pod may not reference service accounts");
    }
    if (PodReferences.toSecrets(spec)) {
      throw call.forbidden("a mirror pod may not reference secrets");
    }
    for (MapNode volume : spec.maps("volumes")) {
      for (MapNode source : volume.map("projected").maps("sources")) {
        if (source.has("serviceAccountToken")) {
          throw call.forbidden("a mirror pod may not use ServiceAccountToken volume projections");
        }
      }
    }
  }

  private static void checkSecrets(AdmissionAttributes call, ApiObject account, MapNode spec) {
    Optional<MountableSecrets> limits = MountableSecrets.of(account);
    String problem = limits.isEmpty() ? "" : limits.get().problem(spec);
    if (!problem.isEmpty()) {
      throw call.forbidden(problem);
    }
  }

  /** The account that a pod names by now; a webhook may have changed it. */
  private ApiObject named(AdmissionAttributes call, ApiObject pod) {
    String name = Pods.spec(pod).text("serviceAccountName");
    if (name.isEmpty()) {
      throw call.forbidden(
          "no service account specified for pod " + call.namespace() + "/" + pod.meta().name());
    }
    return account(call, name);
  }

  private ApiObject account(AdmissionAttributes call, String name) {
    Optional<ApiObject> found = objects.serviceAccount(call.namespace(), name);
    int attempts = name.equals(DEFAULT) ? ATTEMPTS : 1;
    try {
      for (int i = 1; i < attempts && found.isEmpty(); i++) {
        Thread.sleep(pause);
        found = objects.serviceAccount(call.namespace(), name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return found.orElseThrow(
        () ->
            call.forbidden(
                "error looking up service account "
                    + call.namespace()
                    + "/"
                    + name
                    + ": serviceaccount \""
                    + name
                    + "\" not found"));
  }

  private static boolean mounts(MapNode spec, ApiObject account) {
    Node own = spec.get("automountServiceAccountToken");
    Node accounts = account.root().get("automountServiceAccountToken");
    return (own instanceof Node.Bool ? own : accounts) != Node.Bool.FALSE;
  }

  private MapNode mounted(MapNode spec) {
    String volume = volumeName(spec);
    MapNode mount =
        MapNode.of("name", Node.text(volume))
            .with("readOnly", Node.Bool.TRUE)
            .with("mountPath", Node.text(MOUNT));
    MapNode next = spec;
    for (String list : Pods.CONTAINERS) {
      next =
          Pods.edited(
              next,
              list,
              container ->
                  hasMount(container)
                      ? container
                      : Pods.appended(container, "volumeMounts", mount));
    }
    boolean exists = hasVolume(spec, volume);
    return next.equals(spec) || exists ? next : Pods.appended(next, "volumes", volume(volume));
  }

  private static boolean hasMount(MapNode container) {
    return container.items("volumeMounts").stream()
        .anyMatch(each -> each instanceof MapNode mount && mount.text("mountPath").equals(MOUNT));
  }

  private static boolean hasVolume(MapNode spec, String name) {
    return spec.items("volumes").stream()
        .anyMatch(each -> each instanceof MapNode volume && volume.text("name").equals(name));
  }

  /** Reuses an existing volume, for a pod that was read and created again. */
  private String volumeName(MapNode spec) {
    for (Node item : spec.items("volumes")) {
      if (item instanceof MapNode volume && volume.text("name").startsWith(VOLUME_PREFIX)) {
        return volume.text("name");
      }
    }
    StringBuilder name = new StringBuilder(VOLUME_PREFIX);
    for (int i = 0; i < 5; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  private static MapNode volume(String name) {
    MapNode token =
        MapNode.of("expirationSeconds", new Node.Int(3607)).with("path", Node.text("token"));
    MapNode authority =
        MapNode.of("name", Node.text("kube-root-ca.crt"))
            .with(
                "items",
                list(MapNode.of("key", Node.text("ca.crt")).with("path", Node.text("ca.crt"))));
    MapNode namespace =
        MapNode.of("path", Node.text("namespace"))
            .with(
                "fieldRef",
                MapNode.of("apiVersion", Node.text("v1"))
                    .with("fieldPath", Node.text("metadata.namespace")));
    MapNode projected =
        MapNode.of(
                "sources",
                new Node.Items(
                    List.of(
                        MapNode.of("serviceAccountToken", token),
                        MapNode.of("configMap", authority),
                        MapNode.of("downwardAPI", MapNode.of("items", list(namespace))))))
            .with("defaultMode", new Node.Int(420));
    return MapNode.of("name", Node.text(name)).with("projected", projected);
  }

  private static Node list(Node item) {
    return new Node.Items(List.of(item));
  }
}
