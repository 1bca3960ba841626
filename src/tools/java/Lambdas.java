import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lambdas and method references of a class, as ordinary classes in its nest. Those of one
 * interface that capture as many values of the same kinds share a class, whose method goes to one
 * of them by the number that an object of it has: loading a class takes far longer than that
 * choice.
 */
final class Lambdas {

  private static final String MAKE = "make";
  private static final String NUMBER = "n";
  private static final String MADE = "made";

  /** So that the method stays far below the size that the JVM compiles (8,000 bytes). */
  private static final int MOST = 100;

  private final ClassDesc host;
  private final ClassDesc nest;
  private final List<Group> groups = new ArrayList<>();
  private final Map<Shape, Group> open = new LinkedHashMap<>();

  /**
   * @param nest the host of the nest of {@code host}
   */
  Lambdas(ClassDesc host, ClassDesc nest) {
    this.host = host;
    this.nest = nest;
  }

  /**
   * What the lambdas of a class have in common.
   *
   * @param method the method of the interface
   * @param captured the types of the fields: {@code Object} for all classes, {@code int} for the
   *     smaller types
   */
  private record Shape(
      ClassDesc type, String method, MethodTypeDesc erased, List<ClassDesc> captured) {}

  /**
   * A lambda.
   *
   * @param captured the types of what it captures
   * @param actual the type of the method without type variables
   */
  private record Lambda(
      List<ClassDesc> captured, DirectMethodHandleDesc target, MethodTypeDesc actual) {}

  /** A class under work, and its lambdas by their numbers. */
  private record Group(ClassDesc made, Shape shape, List<Lambda> lambdas) {

    boolean isConstant() {
      return shape.captured.isEmpty();
    }

    /** The type of the static method and of the constructor, whose result is another. */
    MethodTypeDesc parameters(ClassDesc result) {
      List<ClassDesc> all = new ArrayList<>(shape.captured);
      all.add(ConstantDescs.CD_int);
      return MethodTypeDesc.of(result, all);
    }
  }

  /** Writes the call that makes the lambda, in place of the instruction. */
  void replace(InvokeDynamicInstruction dynamic, CodeBuilder code) {
    MethodTypeDesc type = dynamic.typeSymbol();
    Shape shape =
        new Shape(
            type.returnType(),
            dynamic.name().stringValue(),
            (MethodTypeDesc) dynamic.bootstrapArgs().get(0),
            type.parameterList().stream().map(Lambdas::erased).toList());
    Lambda lambda =
        new Lambda(
            type.parameterList(),
            (DirectMethodHandleDesc) dynamic.bootstrapArgs().get(1),
            (MethodTypeDesc) dynamic.bootstrapArgs().get(2));
    Group group = open.get(shape);
    if (group == null || group.lambdas.size() == MOST) {
      ClassDesc made = ClassDesc.of(Desugared.name(host) + "$$" + groups.size());
      group = new Group(made, shape, new ArrayList<>());
      groups.add(group);
      open.put(shape, group);
    }
    int number = group.lambdas.indexOf(lambda);
    if (number < 0) {
      number = group.lambdas.size();
      group.lambdas.add(lambda);
    }
    code.loadConstant(number).invokestatic(group.made, MAKE, group.parameters(shape.type));
  }

  private static ClassDesc erased(ClassDesc type) {
    return type.isPrimitive()
        ? Conversions.kind(type).asLoadable().upperBound()
        : ConstantDescs.CD_Object;
  }

  /** The classes of all lambdas so far, by their names. */
  Map<String, byte[]> classes(ClassFile files) {
    Map<String, byte[]> all = new LinkedHashMap<>();
    for (Group group : groups) {
      all.put(
          Desugared.name(group.made), files.build(group.made, builder -> write(group, builder)));
    }
    return all;
  }

  private void write(Group group, ClassBuilder builder) {
    Shape shape = group.shape;
    builder
        .withVersion(ClassFile.JAVA_21_VERSION, 0)
        .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
        .withInterfaceSymbols(shape.type)
        .with(NestHostAttribute.of(nest));
    int field = ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL;
    for (int i = 0; i < shape.captured.size(); i++) {
      builder.withField("f" + i, shape.captured.get(i), field);
    }
    builder.withField(NUMBER, ConstantDescs.CD_int, field);
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        group.parameters(ConstantDescs.CD_void),
        0,
        code -> constructor(code, group));
    builder.withMethodBody(
        MAKE,
        group.parameters(shape.type),
        ClassFile.ACC_STATIC,
        code -> {
          if (group.isConstant()) {
            makeOnce(code, group);
          } else {
            construct(code, group);
            code.areturn();
          }
        });
    if (group.isConstant()) {
      builder.withField(MADE, group.made.arrayType(), field | ClassFile.ACC_STATIC);
      builder.withMethodBody(
          ConstantDescs.CLASS_INIT_NAME,
          ConstantDescs.MTD_void,
          ClassFile.ACC_STATIC,
          code ->
              code.loadConstant(group.lambdas.size())
                  .anewarray(group.made)
                  .putstatic(group.made, MADE, group.made.arrayType())
                  .return_());
    }
    builder.withMethodBody(
        shape.method, shape.erased, ClassFile.ACC_PUBLIC, code -> choose(code, group));
  }

  private static void constructor(CodeBuilder code, Group group) {
    code.aload(0)
        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    List<ClassDesc> captured = group.shape.captured;
    for (int i = 0; i < captured.size(); i++) {
      ClassDesc type = captured.get(i);
      code.aload(0)
          .loadLocal(Conversions.kind(type), code.parameterSlot(i))
          .putfield(group.made, "f" + i, type);
    }
    code.aload(0)
        .iload(code.parameterSlot(captured.size()))
        .putfield(group.made, NUMBER, ConstantDescs.CD_int)
        .return_();
  }

  private static void construct(CodeBuilder code, Group group) {
    code.new_(group.made).dup();
    List<ClassDesc> captured = group.shape.captured;
    for (int i = 0; i < captured.size(); i++) {
      code.loadLocal(Conversions.kind(captured.get(i)), code.parameterSlot(i));
    }
    code.iload(code.parameterSlot(captured.size()))
        .invokespecial(
            group.made, ConstantDescs.INIT_NAME, group.parameters(ConstantDescs.CD_void));
  }

  /** A lambda without captured values is made once; threads that meet may make two. */
  private static void makeOnce(CodeBuilder code, Group group) {
    Label found = code.newLabel();
    code.getstatic(group.made, MADE, group.made.arrayType())
        .iload(0)
        .aaload()
        .dup()
        .ifnonnull(found)
        .pop();
    construct(code, group);
    code.astore(1)
        .getstatic(group.made, MADE, group.made.arrayType())
        .iload(0)
        .aload(1)
        .aastore()
        .aload(1)
        .labelBinding(found)
        .areturn();
  }

  /** The method of the interface. */
  private static void choose(CodeBuilder code, Group group) {
    List<Lambda> lambdas = group.lambdas;
    Label last = code.newLabel();
    if (lambdas.size() > 1) {
      List<SwitchCase> cases = new ArrayList<>();
      for (int i = 0; i < lambdas.size() - 1; i++) {
        cases.add(SwitchCase.of(i, code.newLabel()));
      }
      code.aload(0)
          .getfield(group.made, NUMBER, ConstantDescs.CD_int)
          .tableswitch(0, lambdas.size() - 2, last, cases);
      for (int i = 0; i < cases.size(); i++) {
        code.labelBinding(cases.get(i).target());
        call(code, group, lambdas.get(i));
      }
    }
    code.labelBinding(last);
    call(code, group, lambdas.getLast());
  }

  /** Converts the arguments and the result as LambdaMetafactory does. */
  private static void call(CodeBuilder code, Group group, Lambda lambda) {
    DirectMethodHandleDesc target = lambda.target;
    MethodTypeDesc erased = group.shape.erased;
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(target.lookupDescriptor());
    List<ClassDesc> wanted = new ArrayList<>(type.parameterList());
    boolean constructs = target.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
    boolean isStatic =
        target.kind() == DirectMethodHandleDesc.Kind.STATIC
            || target.kind() == DirectMethodHandleDesc.Kind.INTERFACE_STATIC;
    if (constructs) {
      code.new_(target.owner()).dup();
    } else if (!isStatic) {
      wanted.addFirst(target.owner());
    }
    int next = 0;
    for (int i = 0; i < lambda.captured.size(); i++) {
      captured(code, group, i, lambda.captured.get(i), wanted.get(next++));
    }
    for (int i = 0; i < erased.parameterCount(); i++) {
      ClassDesc from = erased.parameterType(i);
      ClassDesc actual = lambda.actual.parameterType(i);
      code.loadLocal(Conversions.kind(from), code.parameterSlot(i));
      Conversions.convert(code, from, actual);
      Conversions.convert(code, actual, wanted.get(next++));
    }
    ClassDesc result = constructs ? target.owner() : type.returnType();
    switch (target.kind()) {
      case CONSTRUCTOR -> code.invokespecial(target.owner(), ConstantDescs.INIT_NAME, type);
      case STATIC, INTERFACE_STATIC ->
          code.invokestatic(target.owner(), target.methodName(), type, target.isOwnerInterface());
      default -> {
        // a private method of the nest as well: it is selected as if it were final
        if (target.isOwnerInterface()) {
          code.invokeinterface(target.owner(), target.methodName(), type);
        } else {
          code.invokevirtual(target.owner(), target.methodName(), type);
        }
      }
    }
    ClassDesc returned = erased.returnType();
    if (returned.equals(ConstantDescs.CD_void)) {
      switch (Conversions.kind(result).slotSize()) {
        case 1 -> code.pop();
        case 2 -> code.pop2();
        default -> {}
      }
    } else {
      Conversions.convert(code, result, returned);
    }
    code.return_(Conversions.kind(returned));
  }

  /** Loads a captured value of a type as another. */
  private static void captured(
      CodeBuilder code, Group group, int index, ClassDesc type, ClassDesc wanted) {
    ClassDesc field = group.shape.captured.get(index);
    code.aload(0).getfield(group.made, "f" + index, field);
    if (type.isPrimitive()) {
      Conversions.convert(code, type, wanted);
    } else if (wanted.isPrimitive()) {
      Conversions.convert(code, field, type);
      Conversions.convert(code, type, wanted);
    } else {
      Conversions.convert(code, field, wanted);
    }
  }
}
