package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.options.ListOptions;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.request.Spans;

/** Gets an object. */
final class GetVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyWriter writer;

  GetVerb(GenericRegistry registry, BodyWriter writer) {
    this.registry = registry;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    Query query = call.request().query();
    Spans.event("About to Get from storage");
    StoredObject object =
        registry.get(call.collection(), call.info().name(), ListOptions.get(query));
    Spans.event(ABOUT_TO_WRITE);
    if (ExportStrategy.asked(query)) {
      ApiObject exported =
          ExportStrategy.of(registry.served(object), call.definition(), query.flag("exact"));
      return writer.virtual(call.request(), 200, exported, call.definition());
    }
    return writer.object(call.request(), 200, object);
  }
}
