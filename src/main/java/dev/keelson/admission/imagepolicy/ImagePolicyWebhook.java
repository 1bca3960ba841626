package dev.keelson.admission.imagepolicy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.webhook.RetryableException;
import dev.keelson.authz.webhook.ReviewService;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * ImagePolicyWebhook: asks a webhook whether the images of a pod may be used ({@code
 * imagepolicy.k8s.io/v1alpha1} ImageReview). Decisions are cached by what was asked.
 */
public final class ImagePolicyWebhook implements Admission {

  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final String API_VERSION = "imagepolicy.k8s.io/v1alpha1";
  private static final String PREFIX = "imagepolicywebhook.image-policy.k8s.io/";
  private static final int CACHED = 1024;
  private static final int ATTEMPTS = 5;
  private static final double BACKOFF_FACTOR = 1.5;

  private final ImagePolicyConfiguration configuration;
  private final ReviewService webhook;
  private final ExpiringCache<MapNode, MapNode> decisions;

  /**
   * @param webhook the server of the kubeconfig
   * @param clock tells when a cached decision has expired
   */
  public ImagePolicyWebhook(
      ImagePolicyConfiguration configuration, ReviewService webhook, InstantSource clock) {
    this.configuration = configuration;
    this.webhook = webhook;
    this.decisions = new ExpiringCache<>(CACHED, clock);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return resource.equals(PODS)
        && (operation == Verb.CREATE || operation == Verb.UPDATE)
        && (subresource.isEmpty() || subresource.equals("ephemeralcontainers"));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject pod = call.object();
    if (pod != null) {
      List<String> lists =
          call.subresource().isEmpty()
              ? List.of("containers", "initContainers")
              : List.of("ephemeralContainers");
      review(call, question(call, pod, images(pod.root().map("spec"), lists)));
    }
  }

  private static List<MapNode> images(MapNode spec, List<String> lists) {
    List<MapNode> images = new ArrayList<>();
    for (String list : lists) {
      for (MapNode container : spec.maps(list)) {
        images.add(MapNode.of("image", Node.text(container.text("image"))));
      }
    }
    return images;
  }

  private static MapNode question(AdmissionAttributes call, ApiObject pod, List<MapNode> images) {
    Map<String, String> annotations = new HashMap<>(pod.meta().annotations());
    annotations.keySet().removeIf(key -> !key.contains(".image-policy.k8s.io/"));
    MapNode question = MapNode.of("containers", new Node.Items(new ArrayList<>(images)));
    if (!annotations.isEmpty()) {
      question = question.with("annotations", MapNode.ofTexts(annotations));
    }
    return question.with("namespace", Node.text(call.namespace()));
  }

  private void review(AdmissionAttributes call, MapNode question) {
    MapNode status = decisions.get(question).orElse(null);
    if (status == null) {
      try {
        status = ask(question);
      } catch (IOException e) {
        failed(call, e);
        return;
      }
      boolean allowed = status.get("allowed") == Node.Bool.TRUE;
      decisions.put(question, status, allowed ? configuration.allowTtl() : configuration.denyTtl());
    }
    status
        .map("auditAnnotations")
        .texts()
        .forEach((key, value) -> call.annotate(PREFIX + key, value));
    if (status.get("allowed") != Node.Bool.TRUE) {
      String reason = status.text("reason");
      throw call.forbidden(
          reason.isEmpty()
              ? "one or more images rejected by webhook backend"
              : "image policy webhook backend denied one or more images: " + reason);
    }
  }

  private void failed(AdmissionAttributes call, IOException error) {
    if (!configuration.defaultAllow()) {
      throw call.forbidden(String.valueOf(error.getMessage()));
    }
    call.annotate(PREFIX + "failed-open", "true");
  }

  private MapNode ask(MapNode question) throws IOException {
    MapNode review =
        MapNode.of("kind", Node.text("ImageReview"))
            .with("apiVersion", Node.text(API_VERSION))
            .with("metadata", MapNode.EMPTY)
            .with("spec", question)
            .with("status", MapNode.of("allowed", Node.Bool.FALSE));
    Duration pause = configuration.retryBackoff();
    for (int attempt = 1; ; attempt++) {
      try {
        return webhook.ask(review).map("status");
      } catch (RetryableException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        sleep(pause);
        pause = Duration.ofNanos((long) (pause.toNanos() * BACKOFF_FACTOR));
      }
    }
  }

  private static void sleep(Duration pause) throws IOException {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a retry", e);
    }
  }
}
