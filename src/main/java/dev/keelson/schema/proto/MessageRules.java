package dev.keelson.schema.proto;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * The option {@code (keelson.message)}.
 *
 * @param encoding how the message is written in JSON
 * @param typed whether {@code kind} and {@code apiVersion} stand in the JSON form
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
    FIELDS_V1
  }

  /** Reads our extension out of a MessageOptions. */
  static MessageRules parse(CodedInputStream options) throws IOException {
    for (int tag = options.readTag(); tag != 0; tag = options.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == EXTENSION) {
        return parseRules(options.readBytes().newCodedInput());
      }
      options.skipField(tag);
    }
    return NONE;
  }

  private static MessageRules parseRules(CodedInputStream in) throws IOException {
    int encoding = 0;
    boolean typed = false;
    boolean atomic = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> encoding = in.readEnum();
        case 2 -> typed = in.readBool();
        case 3 -> atomic = in.readBool();
        default -> in.skipField(tag);
      }
    }
    return new MessageRules(Encoding.values()[encoding], typed, atomic);
  }
}
