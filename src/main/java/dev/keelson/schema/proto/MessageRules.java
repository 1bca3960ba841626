package dev.keelson.schema.proto;

/**
 * The option {@code (keelson.message)}.
 *
 * @param encoding how the message is written in JSON
 * @param typed whether the JSON form has {@code kind} and {@code apiVersion}
 * @param atomic whether server-side apply owns the message as a whole
 */
record MessageRules(Encoding encoding, boolean typed, boolean atomic) {

  static final MessageRules NONE = new MessageRules(Encoding.OBJECT, false, false);

  /** The number of our extensions of protobuf's option messages. */
  static final int EXTENSION = 50001;

  /** {@code keelson.Encoding}, in the order of its numbers. */
  enum Encoding {
    OBJECT,
    TIME,
    MICRO_TIME,
    DURATION,
    INT_OR_STRING,
    QUANTITY,
    RAW_JSON,
    STRING_LIST,
    FIELDS_V1,
    ANY_JSON,
    UNION
  }

  /** Reads our extension out of a MessageOptions. */
  static MessageRules parse(WireReader options) {
    for (int next = options.next(); next != 0; next = options.next()) {
      if (next == EXTENSION) {
        return parseRules(options.message());
      }
      options.skip();
    }
    return NONE;
  }

  private static MessageRules parseRules(WireReader in) {
    int encoding = 0;
    boolean typed = false;
    boolean atomic = false;
    for (int next = in.next(); next != 0; next = in.next()) {
      switch (next) {
        case 1 -> encoding = in.integer();
        case 2 -> typed = in.bool();
        case 3 -> atomic = in.bool();
        default -> in.skip();
      }
    }
    return new MessageRules(Encoding.values()[encoding], typed, atomic);
  }
}
