package dev.keelson.http.audit;

import dev.keelson.audit.event.ObjectIdentity;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufInput;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.tree.DecodeException;

/**
 * Reads the identity in the metadata of an object in protobuf and no further. In every kind of the
 * API the metadata is field 1, an ObjectMeta.
 */
final class ProtobufIdentity {

  private static final int METADATA = 1;

  // the fields of ObjectMeta
  private static final int NAME = 1;
  private static final int NAMESPACE = 3;
  private static final int UID = 5;
  private static final int RESOURCE_VERSION = 6;

  private ProtobufIdentity() {}

  static ObjectIdentity of(byte[] body) {
    try {
      Envelope envelope = Envelope.read(body);
      ProtobufInput input = new ProtobufInput(envelope.bytes(), envelope.from(), envelope.to());
      while (input.more()) {
        int tag = input.tag();
        if (tag == tag(METADATA)) {
          input.enter();
          return metadata(input);
        }
        input.skip(tag);
      }
      return ObjectIdentity.NONE;
    } catch (DecodeException e) {
      // the handler tells the client
      return ObjectIdentity.NONE;
    }
  }

  private static ObjectIdentity metadata(ProtobufInput input) {
    String name = "";
    String namespace = "";
    String uid = "";
    String resourceVersion = "";
    while (input.more()) {
      int tag = input.tag();
      if (tag == tag(NAME)) {
        name = input.string();
      } else if (tag == tag(NAMESPACE)) {
        namespace = input.string();
      } else if (tag == tag(UID)) {
        uid = input.string();
      } else if (tag == tag(RESOURCE_VERSION)) {
        resourceVersion = input.string();
      } else {
        input.skip(tag);
      }
    }
    return new ObjectIdentity(namespace, name, uid, resourceVersion);
  }

  private static int tag(int field) {
    return (field << 3) | Wire.LENGTH;
  }
}
