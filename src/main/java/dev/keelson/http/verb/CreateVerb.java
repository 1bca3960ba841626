package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.request.Spans;

/** Creates an object. */
final class CreateVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyReader reader;
  private final BodyWriter writer;

  CreateVerb(GenericRegistry registry, BodyReader reader, BodyWriter writer) {
    this.registry = registry;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    WriteOptions options = call.writeOptions();
    ApiObject object = reader.object(call.exchange(), call.definition());
    Spans.event("About to store object in database");
    StoredObject created = registry.create(call.collection(), object, options);
    Spans.event("Write to database call succeeded");
    Spans.event(ABOUT_TO_WRITE);
    return writer.object(call.request(), 201, created);
  }
}
