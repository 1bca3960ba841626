package dev.keelson.http.verb;

import dev.keelson.api.ErrorDetails;
import dev.keelson.http.Answer;
import dev.keelson.http.StatusBody;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.registry.GenericRegistry;

/** Deletes the objects of a collection that match and answers a Status. */
final class DeleteCollectionVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final DeleteOptionsReader options;
  private final BodyWriter writer;

  DeleteCollectionVerb(GenericRegistry registry, DeleteOptionsReader options, BodyWriter writer) {
    this.registry = registry;
    this.options = options;
    this.writer = writer;
  }

  @Override
  public Answer handle(ResourceCall call) {
    DeleteOptionsReader.Options asked = options.read(call.request());
    registry.deleteCollection(
        call.collection(),
        QueryOptions.selection(call.request().query()),
        asked.query(),
        QueryOptions.write(call, asked.dryRun()));
    return writer.status(
        call.request(),
        200,
        StatusBody.success(ErrorDetails.of(call.definition().groupResource(), "")));
  }
}
