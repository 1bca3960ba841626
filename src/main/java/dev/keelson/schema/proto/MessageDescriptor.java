package dev.keelson.schema.proto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a DescriptorProto that schemas need.
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
  static MessageDescriptor parse(WireReader in) {
    String name = "";
    MessageRules rules = MessageRules.NONE;
    List<FieldDescriptor> fields = new ArrayList<>();
    Map<String, FieldDescriptor> mapValues = new HashMap<>();
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case MESSAGE_NAME -> name = in.string();
        case MESSAGE_FIELD -> fields.add(FieldDescriptor.parse(in.message()));
        case MESSAGE_NESTED -> parseMapEntry(in.message(), mapValues);
        case MESSAGE_OPTIONS -> rules = MessageRules.parse(in.message());
        default -> in.skip();
      }
    }
    return new MessageDescriptor(name, rules, List.copyOf(fields), Map.copyOf(mapValues));
  }

  /** The message's options alone, skipping over the rest. */
  static MessageRules parseRules(WireReader in) {
    MessageRules rules = MessageRules.NONE;
    for (int next = in.next(); next != 0; next = in.next()) {
      if (next == MESSAGE_OPTIONS) {
        rules = MessageRules.parse(in.message());
      } else {
        in.skip();
      }
    }
    return rules;
  }

  /** Our messages nest nothing but the entries that protobuf makes for map fields. */
  private static void parseMapEntry(WireReader in, Map<String, FieldDescriptor> mapValues) {
    String name = "";
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case MESSAGE_NAME -> name = in.string();
        case MESSAGE_FIELD -> {
          FieldDescriptor field = FieldDescriptor.parse(in.message());
          if (field.number() == MAP_VALUE) {
            mapValues.put(name, field);
          }
        }
        default -> in.skip();
      }
    }
  }
}
