// The table of the steps that are more than another number, and the functions that it names.
#pragma once

#include <string_view>

#include "convert/step.h"

namespace onnxc::convert {

/// What happens to a node between version `version` of its operator and the version before it. A rule may be null.
struct StepRow {
  std::string_view domain;
  std::string_view op_type;
  int version;
  Rule up;
  Rule down;
  std::string_view attribute = "";  ///< the step concerns only nodes that have it; "": all nodes
};

/// Returns the row of the step, or null.
[[nodiscard]] const StepRow* FindRow(std::string_view domain, std::string_view op_type, int version);

inline constexpr Rule Same = nullptr;

// The rules, in the order of steps.def.
void CountAxesFromFront(Step& step);
void IndicesFromFront(Step& step);
void WarnOfNegativeIndices(Step& step);
void PositiveIndices(Step& step);
void CountSliceAxesFromFront(Step& step);
void CountScanAxesFromFront(Step& step);
void AxesToInput(Step& step);
void AxesToAttribute(Step& step);
void SplitInputToAttribute(Step& step);
void SplitToInput(Step& step);
void SplitToAttribute(Step& step);
void CountOutputs(Step& step);
void SplitSizes(Step& step);
void BoundsToInputs(Step& step);
void BoundsToAttributes(Step& step);
void PaddingsToPads(Step& step);
void PadsToPaddings(Step& step);
void PadsToInput(Step& step);
void PadsToAttribute(Step& step);
void PadAllAxes(Step& step);
void WrapByConcat(Step& step);
void SliceToInputs(Step& step);
void SliceToAttributes(Step& step);
void KToInput(Step& step);
void KToAttribute(Step& step);
void LargestOfNegated(Step& step);
void ShapeToInput(Step& step);
void ShapeToAttribute(Step& step);
void CopyZeros(Step& step);
void DftAxisToInput(Step& step);
void DftAxisToAttribute(Step& step);
void RatioToInput(Step& step);
void RatioToAttribute(Step& step);
void OverOneAxis(Step& step);
void OverLastAxes(Step& step);
void ScalePerChannel(Step& step);
void NormalizeGroups(Step& step);
void AddConsumedInputs(Step& step);
void DropIsTest(Step& step);
void AddIsTest(Step& step);
void NormalizeFlat(Step& step);
void TrainingMode(Step& step);
void TrainingOutputs(Step& step);
void OneTypeOfAll(Step& step);
void MaskToDataType(Step& step);
void MaskToBool(Step& step);
void DropOutputSequence(Step& step);
void AddOutputSequence(Step& step);
void WriteForward(Step& step);
void NameBothOutputs(Step& step);
void BatchSecond(Step& step);
void ScalesOfBoth(Step& step);
void HeightAndWidth(Step& step);
void ScalesToInput(Step& step);
void ScalesToAttribute(Step& step);
void ToResize(Step& step);
void WriteAsymmetric(Step& step);
void OnlyAsymmetric(Step& step);
void LeaveOutEmpty(Step& step);
void WriteEmpty(Step& step);
void ResizeAllAxes(Step& step);
void NotSymmetric(Step& step);
void WriteOutputHalfPixel(Step& step);
void OnlyOutputHalfPixel(Step& step);
void LinearMode(Step& step);
void BilinearMode(Step& step);
void ExponentToInt(Step& step);
void ExponentToFloat(Step& step);
void DropStorageOrder(Step& step);
void DropCeilMode(Step& step);
void DropPadCount(Step& step);
void DropDilations(Step& step);
void OtherSizes(Step& step);
void BlocksByTranspose(Step& step);
void SliceOfShape(Step& step);
void LastFromBack(Step& step);
void ToScatterElements(Step& step);
void NoExtremes(Step& step);
void BroadcastFromBack(Step& step);
void BroadcastByAttribute(Step& step);
void EqualShapes(Step& step);
void ChannelsOfSlope(Step& step);
void SlopeOfChannels(Step& step);
void DropBroadcast(Step& step);
void BroadcastBias(Step& step);
void WriteZeroBias(Step& step);
void TypeToNumber(Step& step);
void TypeToWord(Step& step);
void WriteAxisOne(Step& step);
void WriteOldSelu(Step& step);
void WriteNewSelu(Step& step);
void RepeatsOfAxis(Step& step);
void TilesOfAxes(Step& step);
void ScanWithoutBatch(Step& step);
void ScanOfOneElement(Step& step);
void EqualBranches(Step& step);
void CarrySomething(Step& step);
void CastOfFloats(Step& step);
void DenseValue(Step& step);
void TensorValue(Step& step);
void DropSaturate(Step& step);
void DropRoundMode(Step& step);
void DequantizeAxis(Step& step);
void DequantizeBlocks(Step& step);
void DropOutputType(Step& step);
void QuantizeTensor(Step& step);
void WriteZeroPoint(Step& step);
void DropPrecision(Step& step);
void ExponentLikeBase(Step& step);
void OnlyIntegers(Step& step);
void RangeOfFloats(Step& step);
void GetOfNoOptional(Step& step);
void HasOfNoOptional(Step& step);
void MaskOfWindow(Step& step);
void ExpandByTile(Step& step);
void FillByExpand(Step& step);
void SignByComparison(Step& step);
void WhereByProduct(Step& step);
void EyeByConstant(Step& step);
void CompressByGather(Step& step);
void OneHotByEqual(Step& step);
void MeanVarianceByMeans(Step& step);
void DequantizeTensor(Step& step);
void IsInfByComparison(Step& step);
void ProductOfCasts(Step& step);
void ModByDivision(Step& step);
void ToUpsample(Step& step);
void ReverseRows(Step& step);
void ReluOverThreshold(Step& step);
void ShiftByProduct(Step& step);
void ConcatOfParts(Step& step);
void DropMaker(Step& step);
void CumulateByScan(Step& step);
void RangeByLoop(Step& step);
void ToScatter(Step& step);
void CeluByElu(Step& step);
void CompareOrEqual(Step& step);
void LossByGather(Step& step);
void CrossEntropyByLoss(Step& step);
void EinsumByMatMul(Step& step);
void HardSwishByHardSigmoid(Step& step);
void TriluByMask(Step& step);
void CastToKnown(Step& step);
void BernoulliByUniform(Step& step);
void ElementOfOptional(Step& step);
void IsOptionalFull(Step& step);
void HannByCosine(Step& step);
void HammingByCosine(Step& step);
void BlackmanByCosine(Step& step);
void LayerByMeans(Step& step);
void MapByLoop(Step& step);
void NotBySubtraction(Step& step);
void CropAndPad(Step& step);
void MishBySoftplus(Step& step);
void GridByMatMul(Step& step);
void GeluByErf(Step& step);
void TurnPairs(Step& step);
void RootMeanSquare(Step& step);
void SwishBySigmoid(Step& step);
void ConvOfPadded(Step& step);
void AttentionByScan(Step& step);
void SwiGluBySwish(Step& step);
void AttentionBySoftmax(Step& step);
void ClassesToKeys(Step& step);
void KeysToClasses(Step& step);
void WarnOfKeys(Step& step);
void TensorsToLists(Step& step);

}  // namespace onnxc::convert
