package dev.keelson.http.media;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.schema.ResourceDefinition;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Creates the responses of watches in the negotiated format. */
public final class WatchBodies {

  private final EventForms forms;
  private final WatchMetrics metrics;

  /**
   * @param clock supplies the time for ages
   * @param metrics records what is sent
   */
  public WatchBodies(
      GenericRegistry registry,
      ObjectCodec codec,
      MetaSchemas schemas,
      InstantSource clock,
      WatchMetrics metrics) {
    this.metrics = metrics;
    this.forms =
        new EventForms(
            registry,
            codec,
            new JsonForm(registry, codec),
            new ObjectViews(registry, schemas, clock),
            schemas,
            clock);
  }

  /** Supplies the events of a watch. */
  @FunctionalInterface
  public interface Source {

    /**
     * Starts the watch.
     *
     * @param wake runs on any thread when there are events to poll
     */
    ObjectWatch open(Runnable wake);
  }

  /** Starts a watch; throws errors before the first event. */
  public ApiResponse answer(
      ApiRequest request, ResourceDefinition definition, Source source, WatchBody.Options options) {
    Representation as = Negotiation.acceptedForWatch(request, definition);
    EventForm form = forms.of(as, request, definition);
    AtomicReference<Runnable> waker = new AtomicReference<>(() -> {});
    ObjectWatch watch = source.open(() -> waker.get().run());
    WatchEncoder frames = new WatchEncoder(definition, as, form);
    return ApiResponse.of(
        200, as.mediaType(), new WatchBody(watch, waker, frames, options, metrics.of(definition)));
  }
}
