package dev.keelson.registry.conversion;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.CustomConverter;
import dev.keelson.registry.conversion.ConversionMetrics.Failure;
import dev.keelson.schema.CustomResource;
import dev.keelson.webhook.CallLimits;
import dev.keelson.webhook.ClientConfig;
import dev.keelson.webhook.WebhookClient;
import dev.keelson.webhook.WebhookException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects by the webhook that their definition names (source: apiextensions-apiserver,
 * {@code webhookConverter}). An error has no reason and code 500, as in kube-apiserver.
 */
public final class WebhookConverter implements CustomConverter {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Enough for one object of the largest size beside its overhead. */
  private static final int MIN_RESPONSE_LIMIT = 16 << 20;

  /** How much longer than the request a response may be. */
  private static final int GROWTH = 8;

  private final Supplier<WebhookClient> client;
  private final Supplier<UUID> uids;
  private final ConversionMetrics metrics;

  /** The step of a conversion that is under way; null after the last one. */
  private static final class Step {
    @Nullable Failure failing = Failure.CALL;
  }

  /**
   * A converter.
   *
   * @param client is asked for when an object needs the first call
   * @param uids makes the uids of requests
   * @param metrics records the calls
   */
  public WebhookConverter(
      Supplier<WebhookClient> client, Supplier<UUID> uids, ConversionMetrics metrics) {
    this.client = client;
    this.uids = uids;
    this.metrics = metrics;
  }

  @Override
  public List<MapNode> convert(
      CustomResource resource, GroupVersion target, List<MapNode> objects) {
    MapNode webhook = resource.spec().map("conversion").map("webhook");
    MapNode first = objects.getFirst();
    String prefix =
        "conversion webhook for "
            + ConversionReview.shownType(first.text("apiVersion"), first.text("kind"));
    ConversionReview review;
    try {
      review =
          ConversionReview.of(webhook.items("conversionReviewVersions"), uids.get().toString());
    } catch (ConversionException e) {
      throw error(e.text(), e);
    }
    long begin = System.nanoTime();
    Step step = new Step();
    try {
      return converted(webhook, review, objects, target, prefix, step);
    } finally {
      metrics.called(
          new ConversionMetrics.Call(
              resource.name(),
              GroupVersion.parse(first.text("apiVersion")).version(),
              target.version(),
              step.failing,
              Duration.ofNanos(System.nanoTime() - begin)));
    }
  }

  private List<MapNode> converted(
      MapNode webhook,
      ConversionReview review,
      List<MapNode> objects,
      GroupVersion target,
      String prefix,
      Step step) {
    List<Node> received = call(webhook, review, objects, target, prefix, step);
    step.failing = Failure.PARTIAL_RESPONSE;
    if (received.size() != objects.size()) {
      throw error(
          prefix + " returned " + received.size() + " objects, expected " + objects.size(), null);
    }
    step.failing = Failure.INVALID_CONVERTED_OBJECT;
    List<MapNode> converted = new ArrayList<>(objects.size());
    for (int i = 0; i < objects.size(); i++) {
      converted.add(checked(objects.get(i), received.get(i), target, prefix, i, objects.size()));
    }
    step.failing = null;
    return converted;
  }

  private List<Node> call(
      MapNode webhook,
      ConversionReview review,
      List<MapNode> objects,
      GroupVersion target,
      String prefix,
      Step step) {
    byte[] request = review.request(objects, target);
    int limit = Math.clamp((long) GROWTH * request.length, MIN_RESPONSE_LIMIT, 1 << 30);
    try {
      byte[] response =
          client
              .get()
              .post(
                  ClientConfig.of(webhook.map("clientConfig")),
                  request,
                  new CallLimits(TIMEOUT, limit, /* repeatable= */ true));
      step.failing = Failure.MALFORMED_RESPONSE;
      return review.objects(response);
    } catch (WebhookException e) {
      throw error(prefix + " failed: " + e.text(), e);
    } catch (ConversionException e) {
      throw error(prefix + " failed: " + e.text(), e);
    }
  }

  private static MapNode checked(
      MapNode original, Node received, GroupVersion target, String prefix, int index, int count) {
    try {
      return ConvertedObject.checked(original, received, target);
    } catch (ConvertedObject.Rejected e) {
      throw error(
          (count == 1 ? one(prefix, e.part()) : many(prefix, e.part(), index)) + e.getMessage(), e);
    }
  }

  /** What precedes the message if one object was converted. */
  private static String one(String prefix, ConvertedObject.Part part) {
    return switch (part) {
      case FORM -> "";
      case TYPE -> prefix + " returned invalid object at index 0: ";
      case OBJECT -> prefix + " returned invalid object: ";
      case METADATA -> prefix + " returned invalid metadata: ";
    };
  }

  /** What precedes the message if several were. */
  private static String many(String prefix, ConvertedObject.Part part, int index) {
    return switch (part) {
      case FORM, TYPE, OBJECT ->
          prefix + " returned invalid converted object at index " + index + ": ";
      case METADATA -> prefix + " returned invalid metadata in object at index " + index + ": ";
    };
  }

  private static ApiException error(String message, @Nullable Throwable cause) {
    return new ApiException(Reason.UNKNOWN, message, ErrorDetails.NONE, cause);
  }
}
