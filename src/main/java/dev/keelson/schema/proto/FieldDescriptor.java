package dev.keelson.schema.proto;

/**
 * The parts of a FieldDescriptorProto that schemas need.
 *
 * @param jsonName the name in JSON
 * @param number the number on the wire
 * @param type the number of its type in descriptor.proto
 * @param typeName the full name of its message, empty for other types
 * @param repeated whether it is a list or a map
 * @param optional whether it was declared {@code optional}
 * @param rules its options
 */
record FieldDescriptor(
    String jsonName,
    int number,
    int type,
    String typeName,
    boolean repeated,
    boolean optional,
    FieldRules rules) {

  // FieldDescriptorProto.Type
  static final int DOUBLE = 1;
  static final int INT64 = 3;
  static final int UINT64 = 4;
  static final int INT32 = 5;
  static final int BOOL = 8;
  static final int STRING = 9;
  static final int MESSAGE = 11;
  static final int BYTES = 12;
  static final int UINT32 = 13;

  private static final int LABEL_REPEATED = 3;

  boolean message() {
    return type == MESSAGE;
  }

  static FieldDescriptor parse(WireReader in) {
    String jsonName = "";
    int number = 0;
    int type = 0;
    String typeName = "";
    boolean repeated = false;
    boolean optional = false;
    FieldRules rules = FieldRules.NONE;
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case 3 -> number = in.integer();
        case 4 -> repeated = in.integer() == LABEL_REPEATED;
        case 5 -> type = in.integer();
        // fully qualified, with a leading dot
        case 6 -> typeName = DescriptorSet.goName(in.string().substring(1));
        case 8 -> rules = FieldRules.parse(in.message());
        case 10 -> jsonName = in.string();
        case 17 -> optional = in.bool();
        default -> in.skip();
      }
    }
    return new FieldDescriptor(jsonName, number, type, typeName, repeated, optional, rules);
  }
}
