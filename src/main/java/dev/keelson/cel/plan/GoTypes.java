package dev.keelson.cel.plan;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.cel.type.NamedFormat;
import dev.keelson.cel.type.Values;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** The names of the types that values have in Go, which some of cel-go's messages show. */
final class GoTypes {

  private GoTypes() {}

  /** The name of a value's type. */
  static String of(Object value) {
    return switch (value) {
      case Boolean _ -> "types.Bool";
      case Long _ -> "types.Int";
      case UnsignedLong _ -> "types.Uint";
      case Double _ -> "types.Double";
      case String _ -> "types.String";
      case CelByteString _ -> "types.Bytes";
      case Instant _, OffsetDateTime _ -> "types.Timestamp";
      case Duration _ -> "types.Duration";
      case NullValue _ -> "types.Null";
      case TypeType _ -> "*types.Type";
      case Optional<?> _ -> "*types.Optional";
      case NamedFormat _ -> "*cel.Format";
      default -> {
        TypeType type = Values.typeOf(value);
        String name = type == null ? "" : type.containingTypeName();
        yield "cel." + name.substring(name.lastIndexOf('.') + 1);
      }
    };
  }
}
