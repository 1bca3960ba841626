package dev.keelson.http.media;

import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.registry.Collection;
import dev.keelson.registry.GenericRegistry;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.ObjectWatch;
import dev.keelson.registry.WatchQuery;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Answers watches in the format that the client accepts. */
public final class WatchBodies {

  private final GenericRegistry registry;
  private final EventForms forms;

  /**
   * Answers for the objects of a registry.
   *
   * @param clock tells how old objects are
   */
  public WatchBodies(
      GenericRegistry registry, ObjectForms forms, MetaSchemas schemas, InstantSource clock) {
    this.registry = registry;
    this.forms =
        new EventForms(
            registry,
            forms,
            new JsonForm(registry, forms),
            new ObjectViews(registry, schemas, clock),
            schemas);
  }

  /** Begins a watch; errors that are known before the first event are thrown. */
  public Answer answer(
      ApiRequest request, Collection collection, WatchQuery query, WatchBody.Options options) {
    Representation as = Negotiation.acceptedForWatch(request);
    EventForm form = forms.of(as, request, collection.definition());
    AtomicReference<Runnable> waker = new AtomicReference<>(() -> {});
    ObjectWatch watch = registry.watch(collection, query, () -> waker.get().run());
    WatchFrames frames = new WatchFrames(collection.definition(), as, form);
    return Answer.of(200, as.mediaType(), new WatchBody(watch, waker, frames, options));
  }
}
