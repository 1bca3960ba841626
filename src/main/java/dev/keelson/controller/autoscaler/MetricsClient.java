package dev.keelson.controller.autoscaler;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code metrics.k8s.io}, {@code custom.metrics.k8s.io} and {@code external.metrics.k8s.io},
 * which servers behind this one may serve (source: Kubernetes' {@code
 * podautoscaler/metrics/client.go} and {@code k8s.io/metrics/pkg/client}).
 */
final class MetricsClient implements MetricReadings {

  private static final String RESOURCE = "unable to fetch metrics from resource metrics API";
  private static final String CUSTOM = "unable to fetch metrics from custom metrics API";
  private static final String EXTERNAL = "unable to fetch metrics from external metrics API";
  private static final String CUSTOM_GROUP = "custom.metrics.k8s.io";
  private static final List<String> CUSTOM_VERSIONS = List.of("v1beta2", "v1beta1");

  private final ApiClient client;
  private final ScaleTarget targets;

  MetricsClient(ApiClient client, ScaleTarget targets) {
    this.client = client;
    this.targets = targets;
  }

  @Override
  public Map<String, Sample> resource(
      String resource, String namespace, String selector, String container)
      throws InterruptedException {
    List<MapNode> items =
        items(
            RESOURCE,
            "/apis/metrics.k8s.io/v1beta1/namespaces/" + namespace + "/pods",
            Map.of("labelSelector", selector),
            "pods.metrics.k8s.io");
    if (items.isEmpty()) {
      throw new MetricException("no metrics returned from resource metrics API");
    }
    Map<String, Sample> samples = new HashMap<>();
    for (MapNode item : items) {
      Optional<Long> value =
          container.isEmpty() ? ofPod(item, resource) : ofContainer(item, resource, container);
      value.ifPresent(
          millis -> {
            Sample unused =
                samples.put(
                    item.map("metadata").text("name"),
                    new Sample(millis, at(item), window(item.text("window"))));
          });
    }
    return samples;
  }

  /** The sum of all containers, if each has a value. */
  private static Optional<Long> ofPod(MapNode item, String resource) {
    List<MapNode> containers = item.maps("containers");
    long sum = 0;
    for (MapNode container : containers) {
      Long value = Millis.of(container.map("usage").get(resource));
      if (value == null) {
        return Optional.empty();
      }
      sum = Millis.sum(sum, value);
    }
    return containers.isEmpty() ? Optional.empty() : Optional.of(sum);
  }

  private static Optional<Long> ofContainer(MapNode item, String resource, String container) {
    for (MapNode each : item.maps("containers")) {
      if (each.text("name").equals(container)) {
        return Optional.ofNullable(Millis.of(each.map("usage").get(resource)));
      }
    }
    MapNode metadata = item.map("metadata");
    throw new MetricException(
        "failed to get container metrics: container %s not present in metrics for pod %s/%s"
            .formatted(container, metadata.text("namespace"), metadata.text("name")));
  }

  @Override
  public Map<String, Sample> pods(String metric, String namespace, String selector, String labels)
      throws InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("labelSelector", selector);
    if (!labels.isEmpty()) {
      query.put("metricLabelSelector", labels);
    }
    List<MapNode> items =
        items(
            CUSTOM,
            custom() + "/namespaces/" + namespace + "/pods/*/" + metric,
            query,
            "pods." + CUSTOM_GROUP + " *");
    if (items.isEmpty()) {
      throw new MetricException("no metrics returned from custom metrics API");
    }
    Map<String, Sample> samples = new HashMap<>();
    for (MapNode item : items) {
      Duration window =
          item.get("windowSeconds") instanceof Node.Int seconds
              ? Duration.ofSeconds(seconds.value())
              : WINDOW;
      Sample unused =
          samples.put(
              item.map("describedObject").text("name"), new Sample(value(item), at(item), window));
    }
    return samples;
  }

  @Override
  public long object(String metric, String namespace, Described object, String labels)
      throws InterruptedException {
    String group = object.version().group();
    String place;
    String about;
    if (group.isEmpty() && object.kind().equals("Namespace")) {
      place = "/metrics/" + metric;
      about = "namespaces." + CUSTOM_GROUP + " " + namespace;
    } else {
      String resource = resource(group, object.kind());
      place = "/" + resource + "/" + object.name() + "/" + metric;
      about = resource + "." + CUSTOM_GROUP + " " + object.name();
    }
    List<MapNode> items =
        items(
            CUSTOM,
            custom() + "/namespaces/" + namespace + place,
            labels.isEmpty() ? Map.of() : Map.of("metricLabelSelector", labels),
            about);
    if (items.size() != 1) {
      throw new MetricException(
          CUSTOM
              + ": the custom metrics API server returned "
              + items.size()
              + " results when we asked for exactly one");
    }
    return value(items.getFirst());
  }

  private String resource(String group, String kind) throws InterruptedException {
    try {
      GroupVersionResource found = targets.resources(group, kind).getFirst();
      return found.groupResource().toString();
    } catch (ApiException e) {
      String name = group.isEmpty() ? kind : kind + "." + group;
      throw new MetricException(
          CUSTOM + ": unable to map kind " + name + " to resource: " + e.text());
    }
  }

  @Override
  public List<Long> external(String metric, String namespace, String labels)
      throws InterruptedException {
    List<MapNode> items =
        items(
            EXTERNAL,
            "/apis/external.metrics.k8s.io/v1beta1/namespaces/" + namespace + "/" + metric,
            labels.isEmpty() ? Map.of() : Map.of("labelSelector", labels),
            metric + ".external.metrics.k8s.io");
    if (items.isEmpty()) {
      throw new MetricException("no metrics returned from external metrics API");
    }
    List<Long> values = new ArrayList<>();
    items.forEach(item -> values.add(value(item)));
    return values;
  }

  /** The path of the version of the custom metrics that the group prefers, if it is known. */
  private String custom() throws InterruptedException {
    MapNode group;
    try {
      group =
          client
              .document("/apis/" + CUSTOM_GROUP)
              .orElseThrow(
                  () ->
                      new MetricException(
                          CUSTOM + ": no custom metrics API (" + CUSTOM_GROUP + ") registered"));
    } catch (ApiException e) {
      throw new MetricException(CUSTOM + ": " + e.text());
    }
    List<String> versions = new ArrayList<>();
    versions.add(group.map("preferredVersion").text("version"));
    group.maps("versions").forEach(each -> versions.add(each.text("version")));
    String version =
        versions.stream()
            .filter(CUSTOM_VERSIONS::contains)
            .findFirst()
            .orElseThrow(
                () -> new MetricException(CUSTOM + ": no known available metric versions found"));
    return "/apis/" + new GroupVersion(CUSTOM_GROUP, version);
  }

  private List<MapNode> items(String api, String path, Map<String, String> query, String about)
      throws InterruptedException {
    try {
      return client.read(path, query).maps("items");
    } catch (ApiException e) {
      throw new MetricException(api + ": " + text(e, about));
    }
  }

  /**
   * The words of client-go: its own, with what was asked for, if the answer tells no more than its
   * status.
   */
  private static String text(ApiException error, String about) {
    String words = words(error);
    boolean more = !error.word().isEmpty() && error.code() != 503 && !error.text().equals(words);
    return error.code() == 0 || more ? error.text() : words + " (get " + about + ")";
  }

  private static String words(ApiException error) {
    return switch (error.code()) {
      case 401 -> "the server has asked for the client to provide credentials";
      case 404 -> "the server could not find the requested resource";
      case 405 -> "the server does not allow this method on the requested resource";
      case 429 -> "the server has received too many requests and has asked us to try again later";
      case 503 -> "the server is currently unable to handle the request";
      case 504 ->
          "the server was unable to return a response in the time allotted, but may still be"
              + " processing the request";
      default ->
          error.code() >= 500
              ? "an error on the server ("
                  + GoQuote.quote(error.text())
                  + ") has prevented the request from succeeding"
              : "the server responded with the status code "
                  + error.code()
                  + " but did not return more information";
    };
  }

  private static long value(MapNode item) {
    Long value = Millis.of(item.get("value"));
    return value == null ? 0 : value;
  }

  private static Instant at(MapNode item) {
    return Times.instant(item.text("timestamp"));
  }

  private static Duration window(String text) {
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      // a server that tells no window
      return WINDOW;
    }
  }
}
