package dev.keelson.schema.codec.stored;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufInput;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.tree.DecodeException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The forms of stored objects of one kind that are made from the stored bytes without a tree:
 * protobuf from JSON, and JSON from protobuf. Used by one thread, for any number of objects.
 */
public final class WireForm {

  // the fields of every object and of ObjectMeta
  private static final int METADATA = 1;
  private static final int RESOURCE_VERSION = 6;

  private static final byte[] ITEM_HEAD = {'{'};

  private final GroupVersionKind stored;
  private final byte[] storedHead;
  private final byte[] objectHead;
  private final WirePlan plan;
  private final WirePlan storedPlan;
  private final Splice listItem;
  private @Nullable JsonToProtobuf toProtobuf;
  private @Nullable ProtobufToJson toJson;

  /**
   * A form.
   *
   * @param stored what the store holds
   * @param served the kind asked for, which has the same shape
   * @param schema of {@code served}
   */
  public WireForm(StoredType stored, GroupVersionKind served, StructSchema schema) {
    this.stored = stored.kind();
    storedPlan = WirePlan.of(stored.schema());
    objectHead = head(served);
    storedHead = Splice.storedHead(stored.kind());
    plan = WirePlan.of(schema);
    listItem = Splice.listItem(stored.kind());
  }

  /** What the JSON of an object of a kind begins with, up to its metadata. */
  public static byte[] head(GroupVersionKind kind) {
    return new JsonOutput(128)
        .raw('{')
        .raw(StoredForm.member("kind", kind.kind()))
        .raw(StoredForm.member("apiVersion", kind.apiVersion()))
        .toBytes();
  }

  /**
   * The message of a stored object as an element of a list, as {@link ProtobufList#item} has it.
   *
   * @param revision the store's revision of the object, its resourceVersion
   * @return null if the value is not as Keelson writes it, or of another kind: it must be decoded
   */
  public byte @Nullable [] item(byte[] stored, long revision) {
    if (Envelope.begins(stored)) {
      return spliced(stored, revision, false);
    }
    int length = storedHead.length;
    if (stored.length <= length || !Arrays.equals(stored, 0, length, storedHead, 0, length)) {
      return null;
    }
    try {
      return toProtobuf().item(stored, plan, revision);
    } catch (NotCanonicalException unusual) {
      return null;
    }
  }

  private JsonToProtobuf toProtobuf() {
    JsonToProtobuf known = toProtobuf;
    if (known == null) {
      known = new JsonToProtobuf();
      toProtobuf = known;
    }
    return known;
  }

  /**
   * The message of the metadata alone of a stored object, as an element of a list.
   *
   * @param partial the schema of such elements
   * @param revision the store's revision of the object, its resourceVersion
   * @return null as with {@link #item}
   */
  public byte @Nullable [] metadataItem(
      byte[] stored, int from, int to, StructSchema partial, long revision) {
    if (Envelope.begins(stored, from, to)) {
      boolean alone = from == 0 && to == stored.length;
      return spliced(alone ? stored : Arrays.copyOfRange(stored, from, to), revision, true);
    }
    Served cut = listItem.metadata(stored, from, to, revision);
    if (cut == null) {
      return null;
    }
    byte[] json = Arrays.copyOf(cut.toBytes(), cut.length() + 1);
    json[json.length - 1] = '}';
    try {
      return toProtobuf().item(json, WirePlan.of(partial), 0);
    } catch (NotCanonicalException unusual) {
      return null;
    }
  }

  /** Stored protobuf with the revision in the metadata, which an encoder writes first. */
  private byte @Nullable [] spliced(byte[] bytes, long revision, boolean metadataOnly) {
    try {
      Envelope envelope = Envelope.read(bytes);
      if (!isStored(envelope) || plan != storedPlan) {
        return null;
      }
      ProtobufInput in = new ProtobufInput(bytes, envelope.from(), envelope.to());
      if (!in.more() || in.tag() != Wire.tag(METADATA, Wire.LENGTH)) {
        return null;
      }
      int begin = in.passBytes();
      int end = in.position();
      int to = metadataOnly ? end : envelope.to();
      in.within(begin, end);
      while (in.more()) {
        int at = in.position();
        int tag = in.tag();
        in.skip(tag);
        if (tag == Wire.tag(RESOURCE_VERSION, Wire.LENGTH)) {
          ProtobufOutput out =
              new ProtobufOutput(to - envelope.from() + 48)
                  .raw(bytes, end, to - end)
                  .raw(bytes, in.position(), end - in.position())
                  .string(RESOURCE_VERSION, Long.toString(revision))
                  .raw(bytes, begin, at - begin);
          out.close(METADATA, out.size() - (to - end));
          return out.close(ProtobufList.ITEMS, out.size()).toBytes();
        }
      }
      return null;
    } catch (DecodeException damaged) {
      return null;
    }
  }

  private boolean isStored(Envelope envelope) {
    return envelope.format() == Envelope.Format.PROTOBUF
        && envelope.kind().equals(stored.kind())
        && envelope.apiVersion().equals(stored.apiVersion());
  }

  /**
   * The JSON of a stored object that is in protobuf, with its type, without a newline.
   *
   * @param revision the store's revision of the object, its resourceVersion
   * @return null if the value is not as an encoder writes it, or of another kind: it must be
   *     decoded
   */
  public byte @Nullable [] json(byte[] stored, long revision) {
    return json(stored, revision, objectHead);
  }

  /** The same as an element of a list, which does not name its type. */
  public byte @Nullable [] jsonItem(byte[] stored, long revision) {
    return json(stored, revision, ITEM_HEAD);
  }

  /**
   * The JSON of the metadata alone of a stored object that is in protobuf.
   *
   * @param head what it begins with, as {@link #head} has it
   * @return null as with {@link #json(byte[], long)}
   */
  public byte @Nullable [] metadataJson(byte[] stored, long revision, byte[] head) {
    if (!Envelope.begins(stored)) {
      return null;
    }
    try {
      Envelope envelope = Envelope.read(stored);
      ProtobufInput in = new ProtobufInput(stored, envelope.from(), envelope.to());
      if (!isStored(envelope) || !in.more() || in.tag() != Wire.tag(METADATA, Wire.LENGTH)) {
        return null;
      }
      int unused = in.passBytes();
      return toJson()
          .metadataJson(stored, envelope.from(), in.position(), storedPlan, head, revision);
    } catch (NotCanonicalException | DecodeException unusual) {
      return null;
    }
  }

  private ProtobufToJson toJson() {
    ProtobufToJson known = toJson;
    if (known == null) {
      known = new ProtobufToJson();
      toJson = known;
    }
    return known;
  }

  private byte @Nullable [] json(byte[] bytes, long revision, byte[] head) {
    if (!Envelope.begins(bytes)) {
      return null;
    }
    try {
      Envelope envelope = Envelope.read(bytes);
      return isStored(envelope)
          ? toJson().json(bytes, envelope.from(), envelope.to(), storedPlan, head, revision)
          : null;
    } catch (NotCanonicalException | DecodeException unusual) {
      return null;
    }
  }
}
