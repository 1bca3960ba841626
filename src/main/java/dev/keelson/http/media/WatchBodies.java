package dev.keelson.http.media;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.schema.ResourceDefinition;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Answers watches in the format that the client accepts. */
public final class WatchBodies {

  private final EventForms forms;

  /**
   * Answers for the objects of a registry.
   *
   * @param clock tells how old objects are
   */
  public WatchBodies(
      GenericRegistry registry, ObjectCodec codec, MetaSchemas schemas, InstantSource clock) {
    this.forms =
        new EventForms(
            registry,
            codec,
            new JsonForm(registry, codec),
            new ObjectViews(registry, schemas, clock),
            schemas,
            clock);
  }

  /** Where the events of a watch come from. */
  @FunctionalInterface
  public interface Source {

    /**
     * Begins the watch.
     *
     * @param wake is to be run, on any thread, when there is more to poll
     */
    ObjectWatch open(Runnable wake);
  }

  /** Begins a watch; errors that are known before the first event are thrown. */
  public ApiResponse answer(
      ApiRequest request, ResourceDefinition definition, Source source, WatchBody.Options options) {
    Representation as = Negotiation.acceptedForWatch(request);
    EventForm form = forms.of(as, request, definition);
    AtomicReference<Runnable> waker = new AtomicReference<>(() -> {});
    ObjectWatch watch = source.open(() -> waker.get().run());
    WatchEncoder frames = new WatchEncoder(definition, as, form);
    return ApiResponse.of(200, as.mediaType(), new WatchBody(watch, waker, frames, options));
  }
}
