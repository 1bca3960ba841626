package dev.keelson.http.media;

import dev.keelson.http.Body.Payload;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import java.util.List;

/** The encoding of one watch: its objects and the events around them. Used by one thread. */
interface EventForm {

  /** Adds the bytes of an object. */
  void object(StoredObject object, List<Payload.Slice> out);

  /** Adds the bytes of the object of a bookmark. */
  void bookmark(MapNode object, List<Payload.Slice> out);

  /** Adds the bytes of a Status. */
  void status(MapNode status, List<Payload.Slice> out);

  /** Frames the bytes of an object as an event of a type. */
  List<Payload.Slice> frame(String type, List<Payload.Slice> object);
}
