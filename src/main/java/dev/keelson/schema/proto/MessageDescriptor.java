package dev.keelson.schema.proto;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a DescriptorProto says, as far as schemas need it.
 *
 * @param name its simple name
 * @param rules the message's options
 * @param fields its fields in declaration order
 * @param mapValues for each nested map entry, by its simple name, the field of the values
 */
record MessageDescriptor(
    String name,
    MessageRules rules,
    List<FieldDescriptor> fields,
    Map<String, FieldDescriptor> mapValues) {

  // numbers of google/protobuf/descriptor.proto
  private static final int MESSAGE_NAME = 1;
  private static final int MESSAGE_FIELD = 2;
  private static final int MESSAGE_NESTED = 3;
  private static final int MESSAGE_OPTIONS = 7;
  private static final int MAP_VALUE = 2;

  /** Everything about the message. */
  static MessageDescriptor parse(CodedInputStream in) {
    try {
      return parseMessage(in);
    } catch (IOException e) {
      throw new UncheckedIOException("malformed message descriptor", e);
    }
  }

  /** The message's options alone, skipping over the rest. */
  static MessageRules parseRules(CodedInputStream in) {
    try {
      MessageRules rules = MessageRules.NONE;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == MESSAGE_OPTIONS) {
          rules = MessageRules.parse(in.readBytes().newCodedInput());
        } else {
          in.skipField(tag);
        }
      }
      return rules;
    } catch (IOException e) {
      throw new UncheckedIOException("malformed message descriptor", e);
    }
  }

  private static MessageDescriptor parseMessage(CodedInputStream in) throws IOException {
    String name = "";
    MessageRules rules = MessageRules.NONE;
    List<FieldDescriptor> fields = new ArrayList<>();
    Map<String, FieldDescriptor> mapValues = new HashMap<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case MESSAGE_NAME -> name = in.readString();
        case MESSAGE_FIELD -> fields.add(FieldDescriptor.parse(in.readBytes().newCodedInput()));
        case MESSAGE_NESTED -> parseMapEntry(in.readBytes().newCodedInput(), mapValues);
        case MESSAGE_OPTIONS -> rules = MessageRules.parse(in.readBytes().newCodedInput());
        default -> in.skipField(tag);
      }
    }
    return new MessageDescriptor(name, rules, List.copyOf(fields), Map.copyOf(mapValues));
  }

  /** Our messages nest nothing but the entries that protobuf makes for map fields. */
  private static void parseMapEntry(CodedInputStream in, Map<String, FieldDescriptor> mapValues)
      throws IOException {
    String name = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case MESSAGE_NAME -> name = in.readString();
        case MESSAGE_FIELD -> {
          FieldDescriptor field = FieldDescriptor.parse(in.readBytes().newCodedInput());
          if (field.number() == MAP_VALUE) {
            mapValues.put(name, field);
          }
        }
        default -> in.skipField(tag);
      }
    }
  }
}
